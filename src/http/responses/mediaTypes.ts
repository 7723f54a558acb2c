/** Reads the header `Accept`, and chooses the media type of responses without a stream. Pure. */

export interface MediaRange {
  type: string;
  parameters: ReadonlyMap<string, string>;
  /** The client's preference from 0 to 1; 0 means that it does not accept the type. */
  quality: number;
}

const JSON_TYPE = 'application/json; charset=utf-8';
const GRAPHQL_TYPE = 'application/graphql-response+json';

/**
 * The media type of a response that Apollo Server does not make, such as a refusal. Clients such as Apollo Client read the
 * errors of a response with an error status only if it has the type of GraphQL over HTTP.
 */
export function chooseJsonType(accept: string | undefined): string {
  // Most refused requests do not name the type, and parsing takes time.
  if (accept === undefined || !/graphql-response\+json/i.test(accept)) return JSON_TYPE;
  const ranges = parseAccept(accept);
  const find = (type: string) => ranges.find((range) => range.type === type);
  const graphql = find(GRAPHQL_TYPE);
  const exact = find('application/json');
  const json = exact ?? find('application/*') ?? find('*/*');
  if (graphql === undefined || graphql.quality < (json?.quality ?? 0)) return JSON_TYPE;
  // The first one of two types with the same quality; a wildcard counts less than a type. Apollo Server does the same.
  const isLater = graphql.quality === exact?.quality && ranges.indexOf(exact) < ranges.indexOf(graphql);
  return isLater ? JSON_TYPE : `${GRAPHQL_TYPE}; charset=utf-8`;
}

/** The types that the client accepts, in the client's order. */
export function parseAccept(accept: string): readonly MediaRange[] {
  return accept
    .split(',')
    .map(parseRange)
    .filter(({ quality }) => quality > 0);
}

function parseRange(text: string): MediaRange {
  const [type = '', ...rest] = text.split(';').map((part) => part.trim());
  const parameters = new Map(rest.map(parseParameter));
  const quality = Number(parameters.get('q') ?? '1');
  return { type: type.toLowerCase(), parameters, quality: Number.isNaN(quality) ? 1 : quality };
}

function parseParameter(text: string): [name: string, value: string] {
  const equals = text.indexOf('=');
  if (equals === -1) return [text.toLowerCase(), ''];
  const value = text.slice(equals + 1).trim();
  const isQuoted = value.length >= 2 && value.startsWith('"') && value.endsWith('"');
  return [text.slice(0, equals).trim().toLowerCase(), isQuoted ? value.slice(1, -1) : value];
}
