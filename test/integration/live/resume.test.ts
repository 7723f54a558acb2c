/** Going on with `after`: what arrived while nobody listened comes first, then the rest, nothing twice. */
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
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

/** Lets samples arrive in the background, a few at a time; answers their ids once all have. */
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
  it('loses and repeats nothing, wherever it was cut and whatever arrives meanwhile', async () => {
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
          // Others who go on listening keep the one poll going.
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

  it('loses and repeats nothing that arrives while the missed ones are being read', async () => {
    const kinds = ['SCALAR'];
    const streamId = anyStream(gateway);
    const last = `ScalarSample:${gateway.newestId()}`;
    const other = begin({ kinds });
    await untilListening(gateway);
    const missed = gateway.append(streamId, [1, 2, 3]);
    await received(other, 3);
    const isOfMissed = ({ pathTemplate }: { pathTemplate: string }) => pathTemplate === SCALARS;
    // The next calls are slow: the poll's among them and the one for what was missed.
    gateway.sandbox.faults.add({ match: isOfMissed, latencyMs: 200, times: 4 });
    const resumed = begin({ kinds, after: last });
    const meanwhile = await trickle(streamId, [2, 2, 2, 2, 2, 2]);
    await received(resumed, missed.length + meanwhile.length);
    expect(resumed.ids()).toEqual([...missed, ...meanwhile]);
    await received(other, missed.length + meanwhile.length);
    expect(other.ids()).toEqual([...missed, ...meanwhile]);
  });

  it('gives the other kinds from now on, and no past of theirs', async () => {
    const missed = gateway.append(anyStream(gateway), [1, 2]);
    const after = `ScalarSample:${gateway.newestId() - 2}`;
    const listener = begin({ after });
    await Promise.all([untilListening(gateway), untilListening(gateway, READS)]);
    await received(listener, 2);
    const [id] = gateway.append(anyStream(gateway), [3]);
    await received(listener, 3);
    expect(listener.ids()).toEqual([...missed, id]);
  });

  it('goes on from a read of tags as well', async () => {
    const before = begin({ kinds: ['RFID'] });
    await untilListening(gateway, READS);
    gateway.pass(240);
    await received(before, 3);
    const all = before.ids();
    const resumed = begin({ kinds: ['RFID'], after: all[0] });
    await received(resumed, all.length - 1);
    expect(resumed.ids()).toEqual(all.slice(1));
  });

  it('holds what was missed to the streams that were asked for', async () => {
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

  it('gives more than 10,000 that were missed, in one piece', async () => {
    const after = `ScalarSample:${gateway.newestId()}`;
    const values = Array.from({ length: 10_500 }, (_, index) => index);
    const missed = gateway.append(anyStream(gateway), values);
    const listener = begin({ kinds: ['SCALAR'], after });
    await Promise.race([received(listener, missed.length), listener.ended]);
    expect(listener.errors).toEqual([]);
    expect(listener.ids()).toEqual(missed);
  });

  it('loses nothing of a kind that begins to be listened to while the others are polled', async () => {
    const scalars = begin({ kinds: ['SCALAR'] });
    await untilListening(gateway);
    const resumedFrom = gateway.newestId('rfid');
    // The look for where the reads of tags end takes many polls; only the reading of what was missed is quick.
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
