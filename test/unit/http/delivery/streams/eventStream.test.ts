/** A stream sends heartbeats as soon as it is open, also to a client that has not read its results yet. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished, vi } from 'vitest';
import { EventStream } from '../../../../../src/http/delivery/streams/eventStream.js';
import { createSseCodec } from '../../../../../src/http/delivery/streams/streamCodec.js';
import { unlimitedBytes } from '../../../../../src/lib/byteBudget.js';
import { WAIT_MS } from '../../../../support/waiting.js';

/** The system takes less for a client that does not read. */
const UNREAD_BYTES = 16 * 1_048_576;

/** A stream without operations. `attach` opens it as the response to a request, and resolves with all that it has sent. */
function createStream() {
  const options = {
    verifiable: { session: { caller: 'caller', release() {} } },
    budget: unlimitedBytes,
    codec: createSseCodec(),
    endsWithOperation: false,
    maxUnsentBytes: UNREAD_BYTES,
    maxUnsentMs: WAIT_MS,
    onRefused() {},
    onClose() {},
  };
  const stream = new EventStream(options as unknown as ConstructorParameters<typeof EventStream>[0]);
  async function attach(afterwards: () => void = () => {}): Promise<string> {
    const server = createServer((request, response) => {
      stream.attach({ request, response, requestId: '1' });
      afterwards();
      response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    return (await fetch(`http://127.0.0.1:${port}`)).text();
  }
  return { stream, attach };
}

it('sends heartbeats while a client still reads earlier results', async () => {
  const { stream, attach } = createStream();
  const text = await attach(() => {
    stream.write(`${'a'.repeat(UNREAD_BYTES)}\n\n`);
    expect(stream.isDrained()).toBe(false);
    stream.heartbeats.add('1', { asOf: undefined, cursor: 'ScalarSample:1' });
    stream.write('later');
  });
  expect(text.slice(-70)).toContain('a\n\n: heartbeat {"cursors":{"1":"ScalarSample:1"}}\n\nlater');
});

it('sends no heartbeats of the time before it is opened', async () => {
  vi.useFakeTimers();
  const { attach } = createStream();
  vi.advanceTimersByTime(25_000);
  vi.useRealTimers();
  expect(await attach()).toBe(createSseCodec().start);
});
