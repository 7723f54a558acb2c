/** Parses an HTTP request as a GraphQL request. Pure. */
import type { IncomingMessage } from 'node:http';
import { HeaderMap } from '@apollo/server';
import { GatewayError } from '../../errors.js';
import type { OperationParameters } from '../../graphql/limits/admitOperation.js';
import { isRecord } from '../../lib/records.js';
import { explainJsonError, parseJson } from './parseJson.js';

/** The media type without parameters, which most clients send. Comparing it takes less time than the pattern for all. */
export const PLAIN_JSON = 'application/json';

/**
 * Requests of other media types reach Apollo Server without a body. It refuses them as possible CSRF or for the missing
 * query.
 */
export function hasJsonBody({ method, headers }: IncomingMessage): boolean {
  const type = headers['content-type'] ?? '';
  return (
    method === 'POST' && (type === PLAIN_JSON || /^application\/(json|graphql\+json)\s*(;|$)/i.test(type))
  );
}

export function requestsNoCache({ headers }: IncomingMessage): boolean {
  const directives = headers['cache-control'];
  return directives !== undefined && /(^|[\s,])no-cache($|[\s,;])/i.test(directives);
}

/** Whether the client requests `extensions.explain`. */
export function requestsExplanation({ headers }: IncomingMessage): boolean {
  return headers['x-explain'] === '1';
}

/** An empty name counts as absent (GraphQL over HTTP, "GET"), and so does null, as in the body of a POST. */
const ABSENT_PARAMETERS = /(?<=[?&])(?:operationName=?|(?:variables|extensions)=null)(?=&|$)/g;

/** Returns the query string with its question mark and without absent parameters, or an empty string. */
export function searchOf({ url = '' }: IncomingMessage): string {
  const start = url.indexOf('?');
  return start === -1 ? '' : url.slice(start).replace(ABSENT_PARAMETERS, '');
}

/**
 * Returns the parameters of a POST or GET. Throws BAD_REQUEST if a parameter of a GET occurs twice, and if its variables or
 * extensions are not JSON or are nested too deeply: Apollo Server parses them again with other limits, and must not execute
 * what was not checked here.
 */
export function readParameters(request: IncomingMessage, body: unknown): OperationParameters {
  if (request.method === 'POST') return typeof body === 'object' && body !== null ? body : {};
  const search = new URLSearchParams(searchOf(request));
  const get = (name: string) => {
    const [value, ...others] = search.getAll(name);
    if (others.length === 0) return value;
    throw new GatewayError('BAD_REQUEST', `Send the parameter ${name} only once.`);
  };
  return {
    query: get('query'),
    documentId: get('documentId'),
    operationName: get('operationName'),
    variables: parseParameter('variables', get('variables')),
    extensions: parseParameter('extensions', get('extensions')),
  };
}

export const VALID_TYPES =
  'Send query and operationName as strings, and variables and extensions as objects.';

/** Whether each parameter has its type or is absent. A request may contain only the hash or the id of its document. */
export function hasValidTypes({ query, operationName, variables, extensions }: OperationParameters): boolean {
  const hasStrings = [query, operationName].every((value) => value == null || typeof value === 'string');
  return hasStrings && [variables, extensions].every((value) => value == null || isRecord(value));
}

/**
 * The body with the text of the document, if the request names it by its hash or id: Apollo Server does not know ids, and
 * trusted documents may change while the operation waits.
 */
export function withText(body: unknown, source: string | undefined): unknown {
  return source === undefined || !isRecord(body) || body['query'] ? body : { ...body, query: source };
}

/**
 * Does the same for the query string of a GET. Other query strings stay as they are, because encoding a long text
 * takes milliseconds.
 */
export function searchWithText(request: IncomingMessage, source: string | undefined): string {
  const search = searchOf(request);
  if (source === undefined || request.method !== 'GET') return search;
  const parameters = new URLSearchParams(search);
  if (parameters.get('query')) return search;
  parameters.set('query', source);
  return `?${parameters}`;
}

function parseParameter(name: string, json: string | undefined): unknown {
  if (json === undefined) return undefined;
  try {
    return parseJson(json);
  } catch (error) {
    throw new GatewayError('BAD_REQUEST', `The parameter ${name} ${explainJsonError(error)}`);
  }
}

export function createContentTypeError(): GatewayError {
  const message = 'Send the operation as JSON, with the header Content-Type: application/json.';
  return new GatewayError('BAD_REQUEST', message);
}

/** Apollo Server's media type parser takes a second for 15,000 spaces. All types that it accepts are short. */
const MAX_CONTENT_TYPE_CHARACTERS = 256;

/** A client that accepts nothing else also gets responses without parts, such as the errors of an invalid operation. */
const ONLY_PARTS = /^\s*multipart\/mixed\s*(?:;[^,]*)?$/i;

/**
 * The headers that Apollo Server reads. Omits a Content-Type that is too long, so that Apollo Server refuses the request
 * for the missing type, and an Accept that allows only results in parts, so that Apollo Server sends JSON.
 */
export function toNegotiationHeaders({ headers }: IncomingMessage): HeaderMap {
  const { accept, 'content-type': type } = headers;
  const map = new HeaderMap();
  if (accept !== undefined && !ONLY_PARTS.test(accept)) map.set('accept', accept);
  if (type !== undefined && type.length <= MAX_CONTENT_TYPE_CHARACTERS) map.set('content-type', type);
  return map;
}
