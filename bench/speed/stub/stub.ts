/**
 * The stub's process: serves the platform's REST API as fast as Node can, on plain sockets, so that the stub is never the
 * bottleneck. The parent process sets the delay of responses and requests call counts.
 */
import type { AddressInfo } from 'node:net';
import { createServer, type Socket } from 'node:net';
import { createResponses } from './stubResponses.js';

export type StubOrder = { latencyMs: number } | 'count';

/** `calls` counts the data endpoints since the start, without token requests. */
export type StubReport = { port: number } | { calls: number };

const findResponse = createResponses(Number(process.argv[2]));
let latencyMs = 0;
let calls = 0;

function serve(socket: Socket): void {
  let pending = Buffer.alloc(0);
  socket.setNoDelay(true);
  socket.on('error', () => socket.destroy());
  socket.on('data', (chunk) => {
    let rest = pending.length > 0 ? Buffer.concat([pending, chunk]) : chunk;
    for (let end = endOfRequest(rest); end > 0; end = endOfRequest(rest)) {
      respond(socket, rest.toString('latin1', 0, end));
      rest = rest.subarray(end);
    }
    pending = rest;
  });
}

/** The end of the first request with its body; 0 while it is incomplete. */
function endOfRequest(bytes: Buffer): number {
  const headersEnd = bytes.indexOf('\r\n\r\n');
  if (headersEnd === -1) return 0;
  // Only token requests have a body; all others are GETs.
  const isGet = bytes[0] === 71;
  const length = isGet
    ? 0
    : Number(/content-length: *(\d+)/i.exec(bytes.toString('latin1', 0, headersEnd))?.[1] ?? 0);
  const end = headersEnd + 4 + length;
  return bytes.length >= end ? end : 0;
}

function respond(socket: Socket, request: string): void {
  const start = request.indexOf(' ') + 1;
  const path = request.slice(start, request.indexOf(' ', start));
  if (path.startsWith('/v2.0')) calls += 1;
  const bytes = findResponse(path);
  if (latencyMs === 0) socket.write(bytes);
  else setTimeout(() => socket.write(bytes), latencyMs);
}

process.on('message', (order: StubOrder) => {
  if (order === 'count') report({ calls });
  else latencyMs = order.latencyMs;
});

function report(content: StubReport): void {
  process.send?.(content);
}

const server = createServer(serve).listen(0, '127.0.0.1', () => {
  report({ port: (server.address() as AddressInfo).port });
});
