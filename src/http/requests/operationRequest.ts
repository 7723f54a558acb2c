/** Reads of an HTTP request what it asks for as a GraphQL request, without deciding on anything. */
import type { IncomingMessage } from 'node:http';
import { HeaderMap } from '@apollo/server';
import type { OperationParameters } from '../../graphql/limits/admitOperation.js';

/** Other types reach Apollo Server without a body, which refuses them: by its guard against forged requests, or for want of a query. */
export function hasJsonBody({ method, headers }: IncomingMessage): boolean {
  return (
    method === 'POST' && /^application\/(json|graphql\+json)\s*(;|$)/i.test(headers['content-type'] ?? '')
  );
}

/** Whether nothing that is kept will do. */
export function wantsFresh({ headers }: IncomingMessage): boolean {
  const directives = headers['cache-control'];
  return directives !== undefined && /(^|[\s,])no-cache($|[\s,;])/i.test(directives);
}

/** Whether the caller wants to know what the operation costs. */
export function wantsExplanation({ headers }: IncomingMessage): boolean {
  return headers['x-explain'] === '1';
}

/** With the question mark; empty where there is none. */
export function searchOf({ url = '' }: IncomingMessage): string {
  const start = url.indexOf('?');
  return start === -1 ? '' : url.slice(start);
}

/** The parameters of a POST, or of a GET; what is no JSON is left for Apollo Server to refuse. */
export function readParameters(request: IncomingMessage, body: unknown): OperationParameters {
  if (request.method === 'POST') return typeof body === 'object' && body !== null ? body : {};
  const search = new URLSearchParams(searchOf(request));
  const get = (name: string) => search.get(name) ?? undefined;
  return {
    query: get('query'),
    operationName: get('operationName'),
    variables: parseOrUndefined(get('variables')),
    extensions: parseOrUndefined(get('extensions')),
  };
}

function parseOrUndefined(json: string | undefined): unknown {
  try {
    return json === undefined ? undefined : JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** Apollo Server's parser of media types takes a second for 15,000 spaces; the types that it accepts are short. */
const MAX_CONTENT_TYPE_CHARACTERS = 256;

/** Leaves out a Content-Type that is too long to be one, so that Apollo Server refuses the request for want of it. */
export function toHeaderMap({ headers }: IncomingMessage): HeaderMap {
  const map = new HeaderMap();
  for (const [name, value] of Object.entries(headers)) {
    if (name === 'content-type' && (value?.length ?? 0) > MAX_CONTENT_TYPE_CHARACTERS) continue;
    if (value !== undefined) map.set(name, Array.isArray(value) ? value.join(', ') : value);
  }
  return map;
}
