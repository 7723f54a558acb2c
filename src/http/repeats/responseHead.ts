/** Writes the beginning of an HTTP answer as Node's server does, for answers that go past it. */
import { STATUS_CODES } from 'node:http';

/** Seconds for which a connection without a request is kept open. */
export const KEEP_ALIVE_SECONDS = 5;

let second = 0;
let date = '';

/** `headers` are names and values in turn; those about the connection are added. */
export function writeHead(status: number, headers: readonly string[], nowMs: number): string {
  let head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n`;
  for (let at = 0; at < headers.length; at += 2) head += `${headers[at]}: ${headers[at + 1]}\r\n`;
  return `${head}Date: ${dateOf(nowMs)}\r\nConnection: keep-alive\r\nKeep-Alive: timeout=${KEEP_ALIVE_SECONDS}\r\n\r\n`;
}

/** Written once a second, which is as much as the header tells. */
function dateOf(nowMs: number): string {
  const current = Math.floor(nowMs / 1000);
  if (current !== second) {
    second = current;
    date = new Date(nowMs).toUTCString();
  }
  return date;
}
