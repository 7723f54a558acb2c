/** Names REST endpoints, and builds the path of a call from its template; no other code puts values into an address. */
import { createBadInputError } from '../errors.js';

/** The token endpoint. It lies outside `/v2.0`. */
export const TOKEN_PATH = '/auth/token';

export type PathValue = string | number;
export type QueryValue = string | number | boolean | undefined;

/** The platform refuses longer texts. */
const MAX_TEXT_CHARACTERS = 256;

/**
 * Replaces the `{name}` of a template by the value, encoded as one segment, and adds the query. Throws BAD_USER_INPUT
 * for values that would change the shape of the path: an empty one, `.` and `..`, which URL parsers resolve even when
 * they are percent-encoded. Also throws it for values that are too long.
 */
export function buildPath(
  template: string,
  value?: PathValue,
  query?: Readonly<Record<string, QueryValue>>,
): string {
  const path = fillTemplate(template, value);
  const search = query === undefined ? '' : toSearch(query);
  return search === '' ? path : `${path}?${search}`;
}

/** A template has at most one `{name}`. */
function fillTemplate(template: string, value: PathValue | undefined): string {
  const start = template.indexOf('{');
  if (start === -1) return template;
  const end = template.indexOf('}', start);
  return (
    template.slice(0, start) + toSegment(template.slice(start + 1, end), value) + template.slice(end + 1)
  );
}

function toSegment(name: string, value: PathValue | undefined): string {
  const text = String(value ?? '');
  if (text.length > MAX_TEXT_CHARACTERS) {
    throw createBadInputError(name, `has more than ${MAX_TEXT_CHARACTERS} characters.`);
  }
  const segment = text === '.' || text === '..' ? '' : encode(text);
  if (segment === '') throw createBadInputError(name, `${JSON.stringify(text)} is not a valid value.`);
  return segment;
}

/** Empty if the text is malformed Unicode. */
function encode(text: string): string {
  try {
    return encodeURIComponent(text);
  } catch {
    return '';
  }
}

function toSearch(query: Readonly<Record<string, QueryValue>>): string {
  return Object.entries(query)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${encode(name)}=${encode(String(value))}`)
    .join('&');
}

export interface PlatformEndpoint {
  method: 'GET' | 'POST';
  /** Path template, for example `/v2.0/site/{siteId}`. */
  template: string;
}

/** Limits apply per method and template: reading and writing custom attributes are two endpoints. */
export function toEndpointName({ method, template }: PlatformEndpoint): string {
  return `${method} ${template}`;
}

/** First segment of the path after the version, if any: `site`, `device`, `stream`, `sample`, …, `auth`. */
export function toEndpointFamily(template: string): string {
  return /^(?:\/v\d+(?:\.\d+)?)?\/([^/?]+)/.exec(template)?.[1] ?? '';
}

/** The token endpoint is a separate family with separate limits. */
export function isAuthEndpoint({ template }: PlatformEndpoint): boolean {
  return template === TOKEN_PATH;
}
