/** A streamed response passes its frames to the system at once, so that results for many clients take turns. */
import { EventEmitter } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished, vi } from 'vitest';
import { ResponseStream } from '../../../../../src/http/delivery/streams/responseStream.js';
import { unlimitedBytes } from '../../../../../src/lib/byteBudget.js';
import { WAIT_MS } from '../../../../support/waiting.js';

/** Starts a server that responds to each request with a stream; returns its port. */
async function serve(run: (stream: ResponseStream, response: ServerResponse) => void): Promise<number> {
  const server = createServer((request: IncomingMessage, response) => {
    const stream = new ResponseStream(
      { request, response, requestId: '1' },
      {
        codec: { contentType: 'text/plain', start: 'start ', end: 'end' },
        budget: unlimitedBytes,
        maxUnsentBytes: Number.POSITIVE_INFINITY,
        maxUnsentMs: WAIT_MS,
        onDrain() {},
        onSlow() {},
        onClose() {},
      },
    );
    run(stream, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

it('a frame does not wait for the end of the turn, and arrives', async () => {
  const waiting: unknown[] = [];
  const port = await serve((stream, { socket }) => {
    stream.write('frame ');
    waiting.push(socket?.writableLength, socket?.writableCorked);
    stream.end();
  });
  const text = await (await fetch(`http://127.0.0.1:${port}`)).text();
  expect(text).toBe('start frame end');
  expect(waiting).toEqual([0, 0]);
});

it('a client gets the end of a long last frame although it reads nothing for some seconds', async () => {
  const BYTES = 30_000_000;
  const port = await serve((stream) => {
    stream.write('a'.repeat(BYTES));
    stream.end();
  });
  const socket = connect(port, '127.0.0.1').pause();
  socket.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
  await sleep(2500);
  let bytes = 0;
  for await (const chunk of socket) bytes += (chunk as Buffer).length;
  expect(bytes).toBeGreaterThan(BYTES);
});

/** A stream with the default 20 s to read, whose client reads nothing. */
function openUnread() {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const destroy = vi.fn();
  const members = {
    setHeader() {},
    writeHead() {},
    write: () => false,
    end() {},
    destroy,
    writableLength: 100,
  };
  const response = Object.assign(new EventEmitter(), members) as unknown as ServerResponse;
  const stream = new ResponseStream(
    { request: {} as IncomingMessage, response, requestId: '1' },
    {
      codec: { contentType: 'text/plain', start: 'start ', end: 'end' },
      budget: unlimitedBytes,
      maxUnsentBytes: 10,
      maxUnsentMs: 20_000,
      onDrain() {},
      onSlow() {},
      onClose() {},
    },
  );
  return { stream, response, destroy };
}

it('a response that ended shortly before its client is found slow is destroyed 2 s after that', () => {
  const { stream, destroy } = openUnread();
  vi.advanceTimersByTime(19_000);
  stream.end();
  vi.advanceTimersByTime(2900);
  expect(destroy).not.toHaveBeenCalled();
  vi.advanceTimersByTime(200);
  expect(destroy).toHaveBeenCalled();
});

it('a closed response has no timer', () => {
  const { stream, response } = openUnread();
  stream.end();
  response.emit('close');
  expect(vi.getTimerCount()).toBe(0);
});
