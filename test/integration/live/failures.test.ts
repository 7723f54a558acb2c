/** Live samples under failures: the platform is down, an account has no samples, a subscriber is slow. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { GatewayOptions } from '../../../src/gateway/gatewayOptions.js';
import {
  anyStream,
  IMAGES,
  LISTEN_BARE,
  type LiveGateway,
  listen,
  MANY_POLLS_MS,
  POLL_MS,
  polls,
  READS,
  received,
  SCALARS,
  startLiveGateway,
  untilListening,
  type Variables,
  WAIT,
} from '../../support/http/live.js';

let gateway: LiveGateway;
let leaves: (() => Promise<void>)[];

beforeEach(async () => {
  leaves = [];
  gateway = await start();
});

afterEach(async () => {
  await Promise.all(leaves.map((leave) => leave()));
  await gateway.stop();
});

const start = (options: Partial<GatewayOptions> = {}) => startLiveGateway({ gateway: options });

function begin(variables: Variables = { kinds: ['SCALAR'] }, query = LISTEN_BARE) {
  const listener = listen(gateway.url, variables, query);
  leaves.push(listener.leave);
  return listener;
}

const isQueue = ({ pathTemplate }: { pathTemplate: string }) =>
  [SCALARS, READS, IMAGES].includes(pathTemplate);

describe('while the platform is down', () => {
  it('a subscription waits, and continues with all samples that arrived in the meantime', async () => {
    const listener = begin();
    await untilListening(gateway);
    const ids = gateway.append(anyStream(gateway), [1]);
    await received(listener, 1);
    const mend = gateway.sandbox.faults.add({ match: isQueue, status: 500 });
    gateway.sandbox.calls.reset();
    // The first of them may have arrived before the fault, and would read samples that are added now.
    await vi.waitFor(() => expect(polls(gateway, SCALARS)).toBeGreaterThan(1), WAIT);
    ids.push(...gateway.append(anyStream(gateway), [2, 3]));
    gateway.sandbox.calls.reset();
    await vi.waitFor(() => expect(polls(gateway, SCALARS)).toBeGreaterThan(3), WAIT);
    expect(listener.ids()).toEqual(ids.slice(0, 1));
    mend();
    // Longer than the open time of the circuit breaker.
    gateway.clock.advance(60_000);
    ids.push(...gateway.append(anyStream(gateway), [4]));
    await received(listener, ids.length);
    expect(listener.ids()).toEqual(ids);
    expect(listener.errors).toEqual([]);
  });

  it('a new subscription ends with the reason, and the next one works after recovery', async () => {
    const mend = gateway.sandbox.faults.add({ match: isQueue, status: 500 });
    const refused = begin();
    await refused.ended;
    expect(refused.errors).toMatchObject([
      { extensions: { code: 'PLATFORM_UNAVAILABLE', platform: { status: 500 } } },
    ]);
    mend();
    gateway.sandbox.calls.reset();
    const listener = begin();
    await untilListening(gateway);
    const ids = gateway.append(anyStream(gateway), [1]);
    await received(listener, 1);
    expect(listener.ids()).toEqual(ids);
  });

  it('with one kind failing, the others continue, each sample once', async () => {
    const listener = begin({});
    await Promise.all([SCALARS, READS, IMAGES].map((template) => untilListening(gateway, template)));
    gateway.sandbox.faults.add({ match: READS, status: 500 });
    // Slower than the poll interval: overlapping polls would deliver samples twice.
    gateway.sandbox.faults.add({ match: SCALARS, latencyMs: 4 * POLL_MS });
    const ids: string[] = [];
    for (let round = 0; round < 12; round++) {
      ids.push(...gateway.append(anyStream(gateway), [round]));
      await sleep(2 * POLL_MS);
    }
    await received(listener, ids.length);
    await sleep(MANY_POLLS_MS);
    expect(listener.ids()).toEqual(ids);
  });

  it.each([403, 404])(
    'a kind that it refuses with %i is reported once, and the others continue',
    async (status) => {
      gateway.sandbox.faults.add({ match: ({ pathTemplate }) => pathTemplate === READS, status });
      const listeners = [begin({}), begin({})];
      await untilListening(gateway);
      await Promise.all(
        listeners.map(({ errors }) => vi.waitFor(() => expect(errors).toHaveLength(1), WAIT)),
      );
      const ids = gateway.append(anyStream(gateway), [1, 2]);
      for (const listener of listeners) {
        await received(listener, ids.length);
        expect(listener.ids()).toEqual(ids);
        expect(listener.errors).toMatchObject([
          {
            message: expect.stringContaining('RFID'),
            extensions: { retryable: false, platform: { status } },
          },
        ]);
      }
    },
  );

  it('a kind that it refuses ends a subscription to nothing else', async () => {
    gateway.sandbox.faults.add({ match: ({ pathTemplate }) => pathTemplate === READS, status: 404 });
    const listener = begin({ kinds: ['RFID'] });
    await listener.ended;
    expect(listener.errors).toMatchObject([{ extensions: { code: 'PLATFORM_REFUSED' } }]);
  });

  it('with one kind hanging, the others continue', async () => {
    const listener = begin({});
    await Promise.all([SCALARS, READS, IMAGES].map((template) => untilListening(gateway, template)));
    gateway.sandbox.faults.add({ match: READS, hangBeforeHeaders: true });
    const before = polls(gateway, READS);
    await vi.waitFor(() => expect(polls(gateway, READS)).toBeGreaterThan(before), WAIT);
    const ids = gateway.append(anyStream(gateway), [1]);
    await received(listener, 1);
    expect(listener.ids()).toEqual(ids);
    expect(gateway.restCalls().filter(({ status }) => status === 0)).not.toEqual([]);
  });
});

describe('an account', () => {
  it.each([3, 30, 300])('whose last sample is %i hours old does not replay its past', async (hours) => {
    gateway.clock.advance(hours * 3_600_000);
    const listener = begin({ kinds: ['SCALAR', 'RFID'] });
    await Promise.all([untilListening(gateway), untilListening(gateway, READS)]);
    const ids = gateway.append(anyStream(gateway), [1, 2]);
    await received(listener, 2);
    await sleep(MANY_POLLS_MS);
    expect(listener.ids()).toEqual(ids);
  });

  it('without samples can be subscribed to, and delivers its first one', async () => {
    const streamId = anyStream(gateway);
    for (const kind of ['scalar', 'rfid', 'image']) gateway.run(`DELETE FROM ${kind}_sample`);
    const listener = begin({});
    const looksForNew = () =>
      gateway.restCalls().filter(({ query }) => query['backfillHours'] !== undefined).length;
    await vi.waitFor(() => expect(looksForNew()).toBeGreaterThan(10), WAIT);
    const ids = gateway.append(streamId, [1]);
    await received(listener, 1);
    ids.push(...gateway.append(streamId, [2]));
    await received(listener, 2);
    expect(listener.ids()).toEqual(ids);
    expect(listener.errors).toEqual([]);
  });
});

describe('a large batch', () => {
  it('of more than 10,000 samples at once ends no subscriber that keeps up', async () => {
    const listener = begin();
    await untilListening(gateway);
    const values = Array.from({ length: 12_000 }, (_, index) => index);
    const ids = gateway.append(anyStream(gateway), values);
    await Promise.race([received(listener, ids.length), listener.ended]);
    expect(listener.errors).toEqual([]);
    expect(listener.ids()).toEqual(ids);
  });
});
