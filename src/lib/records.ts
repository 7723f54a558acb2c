/** Parses and narrows JSON, and decodes percent-encoded text. */

/** The value of a string; undefined if the string is not JSON. */
export function parseIfJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The text that a percent-encoded one stands for; undefined if it is malformed. */
export function decodeIfValid(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/**
 * Parses the text of a file that an operator writes. Throws an error that names the line and the column, and quotes
 * nothing: the file may contain secrets.
 */
export function parseJsonFile(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const { line, column } = toLineAndColumn(text, findJsonError(text));
    throw new Error(`The file is not JSON. The error is in line ${line}, column ${column}.`);
  }
}

/** Line and column of an index in a string, both from 1. */
export function toLineAndColumn(text: string, index: number): { line: number; column: number } {
  const lines = text.slice(0, index).split(/\r\n|\r|\n/);
  return { line: lines.length, column: (lines.at(-1) ?? '').length + 1 };
}

const STRING = String.raw`"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"`;
const NUMBER = String.raw`-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?`;
const VALUE = `[[{]|${STRING}|${NUMBER}|true|false|null`;

/** The tokens that may follow, by the state of the parser. */
const tokens = {
  value: toTokens(VALUE),
  valueOrEnd: toTokens(String.raw`${VALUE}|\]`),
  name: toTokens(STRING),
  nameOrEnd: toTokens(`${STRING}|}`),
  colon: toTokens(':'),
  afterItem: toTokens(String.raw`,|\]`),
  afterMember: toTokens(',|}'),
  end: toTokens('(?!)'),
};

type JsonState = keyof typeof tokens;

function toTokens(pattern: string): RegExp {
  return new RegExp(`(${pattern})[ \\t\\r\\n]*`, 'y');
}

/**
 * The index of the first token that JSON does not allow, in a string that is not JSON. The messages of `JSON.parse` say it
 * only in some versions of Node.js.
 */
function findJsonError(text: string): number {
  const open: ('[' | '{')[] = [];
  let state: JsonState = 'value';
  let index = /^[ \t\r\n]*/.exec(text)?.[0].length ?? 0;
  for (;;) {
    const pattern: RegExp = tokens[state];
    pattern.lastIndex = index;
    const [matched, token] = pattern.exec(text) ?? [];
    // The string ends here, or another token follows.
    if (!matched || token === undefined) return index;
    index += matched.length;
    state = toNextState(state, token, open);
  }
}

/** `open`: the brackets that are open; changes with the token. */
function toNextState(state: JsonState, token: string, open: ('[' | '{')[]): JsonState {
  if (token === '[' || token === '{') {
    open.push(token);
    return token === '[' ? 'valueOrEnd' : 'nameOrEnd';
  }
  if (token === ',') return open.at(-1) === '{' ? 'name' : 'value';
  if (token === ':') return 'value';
  if (token !== '}' && (state === 'name' || state === 'nameOrEnd')) return 'colon';
  if (token === ']' || token === '}') open.pop();
  if (open.length === 0) return 'end';
  return open.at(-1) === '{' ? 'afterMember' : 'afterItem';
}

/** Whether a value is an object with named fields: neither null nor a list. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value if it is a record, else an empty one. */
export function toRecord(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {};
}
