/** Builds the path of a REST call from its template: the one place where values enter an address. */
import { createBadInputError } from '../errors.js';

export type PathValue = string | number;
export type QueryValue = string | number | boolean | undefined;

/**
 * Fills the `{name}` place of a template with the value, encoded as one segment, and adds the query.
 * Throws BAD_USER_INPUT for values that would change the path's shape: an empty one, `.` and `..`,
 * which URL parsers resolve even when they are percent-encoded.
 */
export function buildPath(
  template: string,
  value?: PathValue,
  query: Readonly<Record<string, QueryValue>> = {},
): string {
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => toSegment(name, value));
  const search = toSearch(query);
  return search === '' ? path : `${path}?${search}`;
}

function toSegment(name: string, value: PathValue | undefined): string {
  const text = String(value ?? '');
  const segment = text === '.' || text === '..' ? '' : encode(text);
  if (segment === '')
    throw createBadInputError(name, `${JSON.stringify(text)} is nothing the platform could know.`);
  return segment;
}

/** Empty where the text is no well-formed Unicode. */
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
