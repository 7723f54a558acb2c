/** Headers of every response. They forbid browsers to guess its type, frame it, or execute anything in it. */
import type { ServerResponse } from 'node:http';

/** For data. The explorer's page replaces the policy. */
const securityHeaders = [
  ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"],
  ['X-Content-Type-Options', 'nosniff'],
  ['X-Frame-Options', 'DENY'],
  ['Referrer-Policy', 'no-referrer'],
  ['Cross-Origin-Resource-Policy', 'same-origin'],
  ['Cross-Origin-Opener-Policy', 'same-origin'],
] as const;

const securityHeaderList: readonly string[] = securityHeaders.flat();

/** Returns alternating names and values, which `writeHead` accepts without conversion. */
export function commonHeaderList(requestId: string): string[] {
  return [...securityHeaderList, 'X-Request-Id', requestId];
}

export function setCommonHeaders(response: ServerResponse, requestId: string): void {
  for (const [name, value] of securityHeaders) response.setHeader(name, value);
  response.setHeader('X-Request-Id', requestId);
}
