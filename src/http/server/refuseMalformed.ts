/** Refuses input that is not valid HTTP, or too slow or too long, with the same error format as other responses. */
import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';

export function refuseMalformed(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable) return void socket.destroy();
  const { status, message } = toStatusAndMessage(error.code);
  const requestId = randomUUID();
  const extensions = { code: 'BAD_REQUEST', retryable: false, requestId };
  const body = JSON.stringify({ errors: [{ message, extensions }] });
  const headers = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    'X-Content-Type-Options: nosniff',
    'Connection: close',
  ];
  socket.end(`${headers.join('\r\n')}\r\n\r\n${body}`);
}

function toStatusAndMessage(code: string | undefined): { status: number; message: string } {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return { status: 408, message: 'The request took too long to arrive.' };
  if (code === 'HPE_HEADER_OVERFLOW') return { status: 431, message: 'The headers are too long.' };
  return { status: 400, message: 'The request is not valid HTTP.' };
}
