/** A streamed response passes its frames to the system at once, so that results for many clients take turns. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { ResponseStream } from '../../../../../src/http/delivery/streams/responseStream.js';
import { unlimitedBytes } from '../../../../../src/lib/byteBudget.js';

it('a frame does not wait for the end of the turn, and arrives', async () => {
  const waiting: unknown[] = [];
  const server = createServer((request, response) => {
    const stream = new ResponseStream(
      { request, response, requestId: '1' },
      {
        codec: { contentType: 'text/plain', start: 'start ', end: 'end' },
        budget: unlimitedBytes,
        maxUnsentBytes: 1_000_000,
        maxUnsentMs: 1000,
        onDrain() {},
        onSlow() {},
        onClose() {},
      },
    );
    stream.write('frame ');
    waiting.push(response.socket?.writableLength, response.socket?.writableCorked);
    stream.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const text = await (await fetch(`http://127.0.0.1:${port}`)).text();
  server.close();
  expect(text).toBe('start frame end');
  expect(waiting).toEqual([0, 0]);
});
