/** A kind of samples that the platform refuses while it is polled, and accepts again. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { required } from '../../support/gateway.js';
import {
  anyStream,
  IMAGES,
  LISTEN_BARE,
  type LiveGateway,
  listen,
  polls,
  READS,
  received,
  SCALARS,
  startLiveGateway,
  untilListening,
  WAIT,
} from '../../support/http/live.js';
import { openInitialized } from '../../support/http/socket.js';
import { MULTIPART, openStream, untilSubscribed } from '../../support/http/streams.js';

let gateway: LiveGateway;

beforeEach(async () => {
  gateway = await startLiveGateway();
});

afterEach(() => gateway.stop());

const refuseReads = (status: number) =>
  gateway.sandbox.faults.add({ match: ({ pathTemplate }) => pathTemplate === READS, status });

async function waitForPoll(): Promise<void> {
  gateway.sandbox.calls.reset();
  await vi.waitFor(() => expect(polls(gateway, READS)).toBeGreaterThan(4), WAIT);
}

const count = (text: string, part: string) => text.split(part).length - 1;

it.each([403, 404])('a kind that is refused with %i is reported once, on every transport', async (status) => {
  const subscription = { query: LISTEN_BARE };
  const websocket = await openInitialized(gateway.url);
  websocket.send({ type: 'subscribe', id: '1', payload: subscription });
  const streams = await Promise.all([
    openStream(gateway.url, subscription),
    openStream(gateway.url, { ...subscription, method: 'GET' }),
    openStream(gateway.url, { ...subscription, headers: MULTIPART }),
  ]);
  await untilSubscribed(gateway.url, 4);
  await Promise.all([SCALARS, READS, IMAGES].map((template) => untilListening(gateway, template)));
  const texts = () => [JSON.stringify(websocket.messages), ...streams.map(({ text }) => text())];
  const receive = (part: string, times: number) =>
    vi.waitFor(
      () => expect(texts().map((text) => count(text, part))).toEqual([times, times, times, times]),
      WAIT,
    );
  const mend = refuseReads(status);
  await receive("Samples of the kind RFID can't be read", 1);
  await waitForPoll();
  const [id = ''] = gateway.append(anyStream(gateway), [1]);
  await receive(`{"id":"${id}"}`, 1);
  mend();
  const newestRead = gateway.newestId('rfid');
  gateway.pass(240);
  const [read = ''] = gateway.readsAfter(newestRead);
  await receive(`{"id":"${read}"}`, 1);
  await receive("Samples of the kind RFID can't be read", 1);
  refuseReads(status);
  await receive("Samples of the kind RFID can't be read", 2);
});

it('a subscriber who joins later is also notified once', async () => {
  const first = listen(gateway.url, {}, LISTEN_BARE);
  await Promise.all([SCALARS, READS, IMAGES].map((template) => untilListening(gateway, template)));
  refuseReads(404);
  await vi.waitFor(() => expect(first.errors).toHaveLength(1), WAIT);
  const second = listen(gateway.url, {}, LISTEN_BARE);
  await vi.waitFor(() => expect(second.errors).toHaveLength(1), WAIT);
  await waitForPoll();
  expect([first.errors.length, second.errors.length]).toEqual([1, 1]);
});

describe('a subscription that resumes while a kind is refused', () => {
  it('receives the others, and resumes that kind without a loss when it is accepted again', async () => {
    const reader = listen(gateway.url, { kinds: ['RFID'] }, LISTEN_BARE);
    await untilListening(gateway, READS);
    const [after, missed] = [
      `ScalarSample:${gateway.newestId()}`,
      gateway.append(anyStream(gateway), [1, 2]),
    ];
    const newestRead = gateway.newestId('rfid');
    const mend = refuseReads(404);
    const resumed = listen(gateway.url, { after: `${after},RfidSample:${newestRead}` }, LISTEN_BARE);
    await received(resumed, missed.length);
    expect(resumed.ids()).toEqual(missed);
    await vi.waitFor(() => expect(resumed.errors).toHaveLength(1), WAIT);
    expect(resumed.errors).toMatchObject([{ message: expect.stringContaining('RFID') }]);
    mend();
    gateway.pass(240);
    const reads = gateway.readsAfter(newestRead);
    await resumed.ended;
    const { extensions } = required(resumed.errors.at(-1));
    expect(extensions).toMatchObject({ code: 'PLATFORM_REFUSED', retryable: true });
    const again = listen(
      gateway.url,
      { kinds: ['RFID'], after: (extensions as { cursor?: string }).cursor },
      LISTEN_BARE,
    );
    await received(again, reads.length);
    expect(again.ids()).toEqual(reads);
    await reader.leave();
  });
});
