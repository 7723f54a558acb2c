/** Holds the JSON text of response data, and writes responses with it. */
import type { FormattedExecutionResult } from 'graphql';

/** Takes the place of `data` in an execution result. `toJSON` parses the text for callers that need the object. */
export class SerializedJson {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
    // Flattens the string. Otherwise V8 keeps it as a tree of thousands of substrings until the response has been sent,
    // and the garbage collector copies them.
    Buffer.byteLength(text);
  }

  toJSON(): unknown {
    return JSON.parse(this.text);
  }
}

/** Returns the same bytes as `JSON.stringify` would for the response with its data as objects, and a line feed. */
export function stringifyResponse(response: FormattedExecutionResult): string {
  const { data }: { data?: unknown } = response;
  if (!(data instanceof SerializedJson)) return `${JSON.stringify(response)}\n`;
  const properties = Object.entries(response)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `"${name}":${value === data ? data.text : JSON.stringify(value)}`);
  return `{${properties.join(',')}}\n`;
}
