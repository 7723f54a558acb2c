/** Holds the JSON text of response data, joins it from pieces that may be promises, and writes responses with it. */
import type { FormattedExecutionResult } from 'graphql';
import type { JsonOutput } from '../executionContext.js';

/** Takes the place of `data` in an execution result. `toJSON` parses the text for callers that need the object. */
export class SerializedJson {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toJSON(): unknown {
    return JSON.parse(this.text);
  }
}

/** Returns the same bytes as `JSON.stringify` would for the response with its data as objects. */
export function stringifyResponse(response: FormattedExecutionResult): string {
  const { data }: { data?: unknown } = response;
  if (!(data instanceof SerializedJson)) return JSON.stringify(response);
  flatten(data.text);
  const properties = Object.entries(response)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `"${name}":${value === data ? data.text : JSON.stringify(value)}`);
  return `{${properties.join(',')}}`;
}

/**
 * A result without errors as the body of an HTTP response, with a line feed. The caller flattens the string
 * itself, because it counts the bytes immediately.
 */
export function stringifyData(data: FormattedExecutionResult['data']): string {
  const value: unknown = data ?? null;
  return `{"data":${value instanceof SerializedJson ? value.text : JSON.stringify(value)}}\n`;
}

/**
 * V8 keeps a concatenated string as a tree of its parts, which the garbage collector copies, until a character is read.
 * Returns the same text.
 */
export function flatten(text: string): string {
  text.charCodeAt(0);
  return text;
}

/**
 * Rejects with the first rejection, after as many microtasks as `Promise.all`. If several non-null fields fail, the first
 * rejection decides which error is reported; the equal number of microtasks makes it the same error as in graphql-js.
 */
export function joinPromisedText(pieces: JsonOutput[]): Promise<string> {
  return new Promise((resolve, reject) => {
    let pending = 0;
    for (const [index, piece] of pieces.entries()) {
      if (typeof piece === 'string') continue;
      pending += 1;
      const onText = (text: string) => {
        pieces[index] = text;
        pending -= 1;
        if (pending > 0) return;
        try {
          resolve(pieces.join(''));
        } catch (error) {
          // The text is longer than a string can be.
          reject(error);
        }
      };
      Promise.resolve(piece).then(onText, reject);
    }
  });
}
