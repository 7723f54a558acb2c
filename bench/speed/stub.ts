/**
 * A process that serves the platform's REST API as fast as Node can: on bare sockets, since a server as slow as those
 * it is asked by would be what is measured. Its parent sets how long it waits with each answer, and asks for counts.
 */

import type { AddressInfo } from 'node:net';
import { createServer, type Socket } from 'node:net';
import { createAnswers } from './stubAnswers.js';

export type StubOrder = { latencyMs: number } | 'count';

/** Calls of the data endpoints since the start. The token's are not counted. */
export type StubReport = { port: number } | { calls: number };

const findAnswer = createAnswers(Number(process.argv[2]));
let latencyMs = 0;
let calls = 0;

function serve(socket: Socket): void {
  let pending = Buffer.alloc(0);
  socket.setNoDelay(true);
  socket.on('error', () => socket.destroy());
  socket.on('data', (chunk) => {
    let rest = pending.length > 0 ? Buffer.concat([pending, chunk]) : chunk;
    for (let end = endOfRequest(rest); end > 0; end = endOfRequest(rest)) {
      answer(socket, rest.toString('latin1', 0, end));
      rest = rest.subarray(end);
    }
    pending = rest;
  });
}

/** Where the first request ends, body included; 0 while it is not all there. */
function endOfRequest(bytes: Buffer): number {
  const headersEnd = bytes.indexOf('\r\n\r\n');
  if (headersEnd === -1) return 0;
  // GETs, which all but the token's requests are, have no body.
  const isGet = bytes[0] === 71;
  const length = isGet
    ? 0
    : Number(/content-length: *(\d+)/i.exec(bytes.toString('latin1', 0, headersEnd))?.[1] ?? 0);
  const end = headersEnd + 4 + length;
  return bytes.length >= end ? end : 0;
}

function answer(socket: Socket, request: string): void {
  const start = request.indexOf(' ') + 1;
  const path = request.slice(start, request.indexOf(' ', start));
  if (path.startsWith('/v2.0')) calls += 1;
  const bytes = findAnswer(path);
  if (latencyMs === 0) socket.write(bytes);
  else setTimeout(() => socket.write(bytes), latencyMs);
}

process.on('message', (order: StubOrder) => {
  if (order === 'count') tell({ calls });
  else latencyMs = order.latencyMs;
});

function tell(report: StubReport): void {
  process.send?.(report);
}

const server = createServer(serve).listen(0, '127.0.0.1', () => {
  tell({ port: (server.address() as AddressInfo).port });
});
