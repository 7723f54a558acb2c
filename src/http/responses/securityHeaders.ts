/** The headers that every answer bears: browsers shall neither guess at it, frame it, nor run anything in it. */
import type { ServerResponse } from 'node:http';

/** For answers that are data; the explorer's pages bring a policy of their own. */
const securityHeaders = [
  ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"],
  ['X-Content-Type-Options', 'nosniff'],
  ['X-Frame-Options', 'DENY'],
  ['Referrer-Policy', 'no-referrer'],
  ['Cross-Origin-Resource-Policy', 'same-origin'],
  ['Cross-Origin-Opener-Policy', 'same-origin'],
] as const;

const securityHeaderList: readonly string[] = securityHeaders.flat();

/** With the one that names the request: names and values in turn, for `writeHead`, which takes them as they are. */
export function commonHeaderList(requestId: string): string[] {
  return [...securityHeaderList, 'X-Request-Id', requestId];
}

/** The same for whoever adds headers one by one. */
export function setCommonHeaders(response: ServerResponse, requestId: string): void {
  for (const [name, value] of securityHeaders) response.setHeader(name, value);
  response.setHeader('X-Request-Id', requestId);
}
