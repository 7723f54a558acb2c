/** Resuming with `after`: missed samples come first, then new ones, each once. */
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { required } from '../../support/gateway.js';
import {
  anyStream,
  LISTEN_BARE,
  polls,
  READS,
  received,
  SCALARS,
  shareGateway,
  startLiveGateway,
  untilListening,
  type Variables,
  WAIT,
} from '../../support/http/live.js';

const gateway = await startLiveGateway();
const share = shareGateway(gateway);
const begin = (variables?: Variables) => share(variables, LISTEN_BARE);

/** Adds samples in the background, a few at a time; resolves with their ids after the last. */
async function trickle(streamId: number, bursts: readonly number[]): Promise<string[]> {
  const ids: string[] = [];
  for (const [index, size] of bursts.entries()) {
    ids.push(
      ...gateway.append(
        streamId,
        Array.from({ length: size }, () => index),
      ),
    );
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return ids;
}

const bursts = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 8 });

describe('resuming', () => {
  it('loses and repeats nothing, at any point of disconnection, while samples arrive', async () => {
    const streamId = anyStream(gateway);
    const kinds = ['SCALAR'];
    await fc.assert(
      fc.asyncProperty(
        bursts,
        bursts,
        bursts,
        fc.nat(),
        fc.boolean(),
        async (one, two, three, cut, others) => {
          const start = `ScalarSample:${gateway.newestId()}`;
          // Other subscribers keep the poll running.
          const other = others ? begin({ kinds, after: start }) : undefined;
          const first = begin({ kinds, after: start });
          const firstIds = await trickle(streamId, one);
          await received(first, (cut % firstIds.length) + 1);
          await first.leave();
          const missedIds = await trickle(streamId, two);
          const arriving = trickle(streamId, three);
          const second = begin({ kinds, after: first.ids().at(-1) });
          const expected = [...firstIds, ...missedIds, ...(await arriving)];
          const taken = () => [...first.ids(), ...second.ids()];
          await vi.waitFor(() => expect(taken().length).toBeGreaterThanOrEqual(expected.length), WAIT);
          expect(taken()).toEqual(expected);
          if (other) {
            await received(other, expected.length);
            expect(other.ids()).toEqual(expected);
            await other.leave();
          }
          await second.leave();
        },
      ),
      { numRuns: 15 },
    );
  });

  it('loses and repeats nothing that arrives while the missed samples are read', async () => {
    const kinds = ['SCALAR'];
    const streamId = anyStream(gateway);
    const last = `ScalarSample:${gateway.newestId()}`;
    const other = begin({ kinds });
    await untilListening(gateway);
    const missed = gateway.append(streamId, [1, 2, 3]);
    await received(other, 3);
    const isOfMissed = ({ pathTemplate }: { pathTemplate: string }) => pathTemplate === SCALARS;
    // The next calls are slow, including the poll and the call for the missed samples.
    gateway.sandbox.faults.add({ match: isOfMissed, latencyMs: 200, times: 4 });
    const resumed = begin({ kinds, after: last });
    const meanwhile = await trickle(streamId, [2, 2, 2, 2, 2, 2]);
    await received(resumed, missed.length + meanwhile.length);
    expect(resumed.ids()).toEqual([...missed, ...meanwhile]);
    await received(other, missed.length + meanwhile.length);
    expect(other.ids()).toEqual([...missed, ...meanwhile]);
  });

  it('returns other kinds from now on, without their past', async () => {
    const missed = gateway.append(anyStream(gateway), [1, 2]);
    const after = `ScalarSample:${gateway.newestId() - 2}`;
    const listener = begin({ after });
    await Promise.all([untilListening(gateway), untilListening(gateway, READS)]);
    await received(listener, 2);
    const [id] = gateway.append(anyStream(gateway), [3]);
    await received(listener, 3);
    expect(listener.ids()).toEqual([...missed, id]);
  });

  it.each([
    [
      'the default of a variable',
      'subscription ($after: ID = "CURSOR") { sampleReceived(kinds: [SCALAR], after: $after) { id } }',
    ],
    [
      'a fragment',
      'subscription { ...F } fragment F on Subscription { sampleReceived(kinds: [SCALAR], after: "CURSOR") { id } }',
    ],
    [
      'an inline fragment',
      'subscription { ... { sampleReceived(kinds: [SCALAR], after: "CURSOR") { id } } }',
    ],
  ])('works with a cursor in %s', async (_, query) => {
    const cursor = `ScalarSample:${gateway.newestId()}`;
    const missed = gateway.append(anyStream(gateway), [1, 2, 3]);
    const listener = share({}, query.replace('CURSOR', cursor));
    await received(listener, missed.length);
    expect(listener.ids()).toEqual(missed);
  });

  it('works from an RFID read too', async () => {
    const before = begin({ kinds: ['RFID'] });
    await untilListening(gateway, READS);
    gateway.pass(240);
    await received(before, 3);
    const all = before.ids();
    const resumed = begin({ kinds: ['RFID'], after: all[0] });
    await received(resumed, all.length - 1);
    expect(resumed.ids()).toEqual(all.slice(1));
  });

  it('restricts missed samples to the subscribed streams', async () => {
    const [one, other] = [anyStream(gateway), anyStream(gateway, 1)];
    const after = `ScalarSample:${gateway.newestId()}`;
    gateway.append(one, [1]);
    const wanted = gateway.append(other, [2]);
    gateway.append(one, [3]);
    const listener = begin({ kinds: ['SCALAR'], streams: [`${other}`], after });
    wanted.push(...gateway.append(other, [4]));
    await received(listener, 2);
    expect(listener.ids()).toEqual(wanted);
  });

  it('after a sample that is not on the platform is refused, before events could be lost', async () => {
    // A running poll knows how far the platform is.
    const other = begin({ kinds: ['SCALAR'] });
    await untilListening(gateway);
    for (const kinds of [['SCALAR'], ['SCALAR', 'RFID']]) {
      const listener = begin({ kinds, after: `ScalarSample:${gateway.newestId() + 1000}` });
      await listener.ended;
      const { message, extensions } = required(listener.errors[0]);
      expect(message).toContain('does not exist on the platform');
      expect(extensions).toMatchObject({ code: 'BAD_USER_INPUT', retryable: false });
      // A client must not resume with the refused cursor.
      expect(extensions).not.toHaveProperty('cursor');
    }
    const ids = gateway.append(anyStream(gateway), [1]);
    await received(other, 1);
    expect(other.ids()).toEqual(ids);
  });

  it('returns more than 10,000 missed samples in sequence', async () => {
    const after = `ScalarSample:${gateway.newestId()}`;
    const values = Array.from({ length: 10_500 }, (_, index) => index);
    const missed = gateway.append(anyStream(gateway), values);
    const listener = begin({ kinds: ['SCALAR'], after });
    await Promise.race([received(listener, missed.length), listener.ended]);
    expect(listener.errors).toEqual([]);
    expect(listener.ids()).toEqual(missed);
  });

  it('loses nothing of a kind that is subscribed to while the others are polled', async () => {
    const scalars = begin({ kinds: ['SCALAR'] });
    await untilListening(gateway);
    const resumedFrom = gateway.newestId('rfid');
    // The search for the end of the RFID reads takes many polls; reading the missed samples is quick.
    let calls = 0;
    const isSlow = ({ pathTemplate }: { pathTemplate: string }) => pathTemplate === READS && ++calls !== 3;
    gateway.sandbox.faults.add({ match: isSlow, latencyMs: 150, times: 4 });
    const before = polls(gateway, SCALARS);
    const reads = begin({ kinds: ['RFID'], after: `RfidSample:${resumedFrom}` });
    const newReads = () => gateway.readsAfter(resumedFrom);
    for (let round = 0; round < 40; round++) {
      gateway.pass(15);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    expect(polls(gateway, SCALARS)).toBeGreaterThan(before);
    expect(newReads().length).toBeGreaterThan(10);
    await received(reads, newReads().length);
    expect(reads.ids()).toEqual(newReads());
    expect(scalars.errors).toEqual([]);
  });
});
