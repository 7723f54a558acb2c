/** A request as text with places for digits, so that sending another takes no more than writing a number into it. Pure. */

const PLACE = '#';
const ZERO = 48;

export interface RequestFacts {
  method: 'GET' | 'POST';
  port: number;
  path: string;
  headers?: Readonly<Record<string, string>>;
  /** ASCII. */
  body?: string;
}

/** The request as it goes over the wire. */
export function toRequestText({ method, port, path, headers = {}, body = '' }: RequestFacts): string {
  const given = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const type = body === '' ? '' : `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
  return `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${type}${given.join('')}\r\n${body}`;
}

/** At which bytes a digit belongs. */
export function placesOf(text: string): number[] {
  return [...text].flatMap((character, index) => (character === PLACE ? [index] : []));
}

/** The text with the number's digits in its places, zeros before them: in `bytes`, from the last place to the first. */
export function writeNumber(bytes: Uint8Array, places: readonly number[], number: number): void {
  let rest = number;
  for (let index = places.length - 1; index >= 0; index--) {
    const digit = rest % 10;
    bytes[places[index] ?? 0] = ZERO + digit;
    rest = (rest - digit) / 10;
  }
}

/** The same for a text. */
export function withNumber(text: string, number: number): string {
  const bytes = Buffer.from(text);
  writeNumber(bytes, placesOf(text), number);
  return bytes.toString();
}
