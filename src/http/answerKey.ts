/** Names what a request asks for: two requests of one name get the same bytes for an answer. */
import type { IncomingMessage } from 'node:http';

/**
 * What is asked: `body` is what was sent. All of the request that decides on an answer is part of it: also the headers
 * by which Apollo Server chooses a media type, and tells a page of ours from one of another site.
 */
export function toAskedText({ method, url, headers }: IncomingMessage, body: string): string {
  const isPreflighted = Boolean(headers['apollo-require-preflight'] || headers['x-apollo-operation-name']);
  const { accept = '', 'content-type': type = '' } = headers;
  return `${method} ${url}\n${accept}\n${type}\n${isPreflighted}\n${body}`;
}

/** `scope` is whose answers these are. */
export function toAnswerKey(scope: string, asked: string): string {
  return `${scope}\n${asked}`;
}
