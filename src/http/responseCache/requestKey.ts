/** Builds the key of the response cache. Requests with equal keys get equal responses. */
import type { IncomingMessage } from 'node:http';

/**
 * `scope` names the credential and the authorization of the caller. The headers are those by which Apollo Server chooses
 * a media type and recognises cross-site requests. `Accept-Encoding` is not part
 * of the key: an entry holds its compressed forms beside the body.
 */
export function toRequestKey(
  scope: string,
  { method, url, headers }: Pick<IncomingMessage, 'method' | 'url' | 'headers'>,
  body: string,
): string {
  const isPreflighted = Boolean(headers['apollo-require-preflight'] || headers['x-apollo-operation-name']);
  const { accept = '', 'content-type': type = '' } = headers;
  return `${scope}\n${method} ${url}\n${accept}\n${type}\n${isPreflighted}\n${body}`;
}
