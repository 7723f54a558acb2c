/** Names what a request asks for: two requests of one name get the same bytes for an answer. */
import type { IncomingMessage } from 'node:http';

/**
 * `scope` is whose answers these are, `body` what was sent. All that decides on an answer is part of the name: also
 * the headers by which Apollo Server chooses a media type, and tells a page of ours from one of another site.
 */
export function toAnswerKey({ method, url, headers }: IncomingMessage, scope: string, body: string): string {
  const isPreflighted = Boolean(headers['apollo-require-preflight'] || headers['x-apollo-operation-name']);
  const { accept = '', 'content-type': type = '' } = headers;
  return `${scope}\n${method} ${url}\n${accept}\n${type}\n${isPreflighted}\n${body}`;
}
