/**
 * Writes the head of a cached response as one text. Node would check each of its twelve headers on every request, although
 * they are constants or made by the gateway.
 */
import { type ServerResponse, STATUS_CODES } from 'node:http';

/** Not documented by Node: see docs/internals.md. */
interface InternalResponse {
  _storeHeader(firstLine: string, headers: readonly string[]): void;
}

const OK = 200;

/** Returns the beginning of a response with status 200: the status line and these headers. */
export function toHeadStart(headers: readonly (readonly [string, string])[]): string {
  return `HTTP/1.1 ${OK} ${STATUS_CODES[OK]}\r\n${headers.map(toLine).join('')}`;
}

function toLine([name, value]: readonly [string, string]): string {
  return `${name}: ${value}\r\n`;
}

/** Whether `writeTextHead` can write the head: Node has the function, and no header was set on the response before. */
export function canWriteTextHead(response: ServerResponse): boolean {
  return '_storeHeader' in response && response.getHeaderNames().length === 0;
}

/**
 * Writes the head of a response with status 200, to which Node adds the date and the headers of the connection. `text` is
 * not checked, so it must contain no character that a client has chosen freely.
 */
export function writeTextHead(response: ServerResponse, text: string, contentLength: number): void {
  response.statusCode = OK;
  response.statusMessage = STATUS_CODES[OK] ?? '';
  (response as ServerResponse & InternalResponse)._storeHeader(text, [
    'Content-Length',
    String(contentLength),
  ]);
}
