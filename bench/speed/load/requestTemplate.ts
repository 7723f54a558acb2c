/** Requests with placeholders for digits, so that a new request only needs a number written into it. Pure. */

const PLACEHOLDER = '#';
const ZERO = 48;

export interface RequestFacts {
  method: 'GET' | 'POST';
  port: number;
  path: string;
  headers?: Readonly<Record<string, string>>;
  /** ASCII. */
  body?: string;
}

/** The request's text with request line and headers. */
export function toRequestText({ method, port, path, headers = {}, body = '' }: RequestFacts): string {
  const extra = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const type = body === '' ? '' : `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
  return `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${type}${extra.join('')}\r\n${body}`;
}

/** The positions of the placeholders. */
export function digitPositions(text: string): number[] {
  return [...text].flatMap((character, index) => (character === PLACEHOLDER ? [index] : []));
}

/** Writes the number's digits with leading zeros to the positions. */
export function writeNumber(bytes: Uint8Array, positions: readonly number[], number: number): void {
  let rest = number;
  for (let index = positions.length - 1; index >= 0; index--) {
    const digit = rest % 10;
    bytes[positions[index] ?? 0] = ZERO + digit;
    rest = (rest - digit) / 10;
  }
}

/** Replaces the placeholders of a text by the number's digits. */
export function withNumber(text: string, number: number): string {
  const bytes = Buffer.from(text);
  writeNumber(bytes, digitPositions(text), number);
  return bytes.toString();
}
