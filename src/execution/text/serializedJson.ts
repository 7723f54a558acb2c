/** The data of an answer that is written already, and how answers are written with it. */
import type { FormattedExecutionResult } from 'graphql';

/** Stands where data does; whoever wants to look into it reads what `toJSON` answers. */
export class SerializedJson {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
    // Text that was put together stays a tree of thousands of pieces until it is read as a whole. To be counted is to
    // be read: else the pieces would live for as long as the answer takes to be sent, and be copied by the collector.
    Buffer.byteLength(text);
  }

  toJSON(): unknown {
    return JSON.parse(this.text);
  }
}

/** Byte for byte what `JSON.stringify` makes of the answer with its data as objects; a line feed at the end. */
export function stringifyResponse(answer: FormattedExecutionResult): string {
  const { data }: { data?: unknown } = answer;
  if (!(data instanceof SerializedJson)) return `${JSON.stringify(answer)}\n`;
  const parts = Object.entries(answer)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `"${name}":${value === data ? data.text : JSON.stringify(value)}`);
  return `{${parts.join(',')}}\n`;
}
