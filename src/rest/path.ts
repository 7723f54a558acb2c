/** Builds the path of a REST call from its template; no other code puts values into an address. */
import { createBadInputError } from '../errors.js';

export type PathValue = string | number;
export type QueryValue = string | number | boolean | undefined;

/**
 * Replaces the `{name}` of a template by the value, encoded as one segment, and adds the query. Throws BAD_USER_INPUT
 * for values that would change the shape of the path: an empty one, `.` and `..`, which URL parsers resolve even when
 * they are percent-encoded.
 */
export function buildPath(
  template: string,
  value?: PathValue,
  query?: Readonly<Record<string, QueryValue>>,
): string {
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => toSegment(name, value));
  const search = query === undefined ? '' : toSearch(query);
  return search === '' ? path : `${path}?${search}`;
}

function toSegment(name: string, value: PathValue | undefined): string {
  const text = String(value ?? '');
  const segment = text === '.' || text === '..' ? '' : encode(text);
  if (segment === '')
    throw createBadInputError(name, `${JSON.stringify(text)} cannot be an id of the platform.`);
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
