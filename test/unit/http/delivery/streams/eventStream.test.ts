/** A stream sends heartbeats to a client that has not read its results yet. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { EventStream } from '../../../../../src/http/delivery/streams/eventStream.js';
import { createSseCodec } from '../../../../../src/http/delivery/streams/streamCodec.js';
import { unlimitedBytes } from '../../../../../src/lib/byteBudget.js';
import { WAIT_MS } from '../../../../support/waiting.js';

/** The system takes less for a client that does not read. */
const UNREAD_BYTES = 16 * 1_048_576;

it('sends heartbeats while a client still reads earlier results', async () => {
  const server = createServer((request, response) => {
    const session = { caller: 'caller', release() {} };
    const options = {
      ...{
        verifiable: { session },
        budget: unlimitedBytes,
        codec: createSseCodec(),
        endsWithOperation: false,
      },
      ...{ maxUnsentBytes: UNREAD_BYTES, maxUnsentMs: WAIT_MS, onRefused() {}, onClose() {} },
    };
    const stream = new EventStream(options as unknown as ConstructorParameters<typeof EventStream>[0]);
    stream.attach({ request, response, requestId: '1' });
    stream.write(`${'a'.repeat(UNREAD_BYTES)}\n\n`);
    expect(stream.isDrained()).toBe(false);
    stream.heartbeats.add('1', { asOf: undefined, cursor: 'ScalarSample:1' });
    stream.write('later');
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const text = await (await fetch(`http://127.0.0.1:${port}`)).text();
  expect(text.slice(-70)).toContain('a\n\n: heartbeat {"cursors":{"1":"ScalarSample:1"}}\n\nlater');
});
