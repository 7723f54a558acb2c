/** Results of past events that the members of a group share. */
import { describe, expect, it } from 'vitest';
import { toCursor } from '../../../src/live/cursors.js';
import type { EventPosition } from '../../../src/live/liveEvents.js';
import { PastResults, PayloadBatch } from '../../../src/live/payloads.js';

interface Event {
  id: number;
}

const positionOf = ({ id }: Event): EventPosition => ({ kind: 'SCALAR', id, cursor: `${id}` });

/** Counts the executions, and the bytes that are charged. */
function createResults(maxBytes?: number) {
  const counts = { executions: 0, bytes: 0 };
  const results = new PastResults<Event>((bytes) => {
    counts.bytes += bytes;
  }, maxBytes);
  const createMember = (id: number) => {
    const positions = new Map([['SCALAR', positionOf({ id })]]);
    const execute = async (events: readonly Event[]) => {
      counts.executions += 1;
      const payloads = events.map((event) => {
        const position = positionOf(event);
        positions.set('SCALAR', position);
        return { text: `${event.id}`, position, cursor: toCursor(positions) };
      });
      return new PayloadBatch(payloads);
    };
    return {
      positions,
      execute,
      get: (events: readonly Event[], run = execute) => results.get(events, positions, () => run(events)),
    };
  };
  return { counts, createMember, addReader: () => results.addReader() };
}

describe('results of past events', () => {
  it('are executed once for members that follow each other, each of which advances', async () => {
    const { counts, createMember } = createResults();
    const page = [{ id: 2 }, { id: 3 }];
    const [one, other] = [createMember(1), createMember(1)];
    const batch = await one.get(page);
    expect(await other.get(page.slice())).toBe(batch);
    expect(counts.executions).toBe(1);
    expect(toCursor(other.positions)).toBe('3');
  });

  it('name in their cursors only what each member has received', async () => {
    const { counts, createMember } = createResults();
    const [one, other] = [createMember(1), createMember(1)];
    const image = (id: number) => ({ kind: 'IMAGE', id, cursor: `image${id}` });
    for (const { positions } of [one, other]) positions.set('IMAGE', image(6));
    const page = [{ id: 2 }, { id: 3 }];
    const executing = one.get(page, (events) => {
      // Delivered during the execution. The other member's connection is full, so it has to wait.
      one.positions.set('IMAGE', image(7));
      return one.execute(events);
    });
    const [batch, shared] = await Promise.all([executing, other.get(page)]);
    expect(counts.executions).toBe(1);
    expect(batch.payloads.map(({ cursor }) => cursor)).toEqual(['2,image7', '3,image7']);
    expect(shared.payloads.map(({ cursor }) => cursor)).toEqual(['2,image6', '3,image6']);
    expect(toCursor(other.positions)).toBe('3,image6');
  });

  it('are executed again for other events and after a failure', async () => {
    const { counts, createMember } = createResults();
    await createMember(1).get([{ id: 2 }, { id: 3 }]);
    await createMember(1).get([{ id: 2 }, { id: 3 }]);
    await createMember(1).get([{ id: 2 }]);
    expect(counts.executions).toBe(3);
    const later = createMember(5);
    const failed = later.get([{ id: 6 }], () => Promise.reject(new Error('failed')));
    await expect(failed).rejects.toThrow('failed');
    await later.get([{ id: 6 }]);
    expect(counts.executions).toBe(4);
  });

  it('are executed once for members at different events', async () => {
    const { counts, createMember } = createResults();
    const pages = [
      [{ id: 2 }, { id: 3 }],
      [{ id: 4 }, { id: 5 }],
    ];
    const [one, other] = [createMember(1), createMember(1)];
    for (const page of pages) await one.get(page);
    for (const page of pages) await other.get(page);
    expect(counts.executions).toBe(2);
  });

  it('are charged, and discarded beyond the limit, the one that was used last in the end', async () => {
    const { counts, createMember } = createResults(500);
    const member = createMember(1);
    const [two, three, four] = [[{ id: 2 }], [{ id: 3 }], [{ id: 4 }]] as const;
    await member.get(two);
    const ofOne = counts.bytes;
    expect(ofOne).toBeGreaterThan(0);
    await member.get(three);
    expect(counts.bytes).toBe(2 * ofOne);
    await member.get(two);
    await member.get(four);
    expect(counts).toEqual({ executions: 3, bytes: 2 * ofOne });
    await member.get(two);
    expect(counts.executions).toBe(3);
    await member.get(three);
    expect(counts.executions).toBe(4);
  });

  it('are released after a failure, and when no member reads the past', async () => {
    const { counts, createMember, addReader } = createResults();
    const member = createMember(1);
    const removeReaders = [addReader(), addReader()];
    await member.get([{ id: 2 }]);
    const ofOne = counts.bytes;
    await member.get([{ id: 3 }], () => Promise.reject(new Error('failed'))).catch(() => undefined);
    expect(counts.bytes).toBe(ofOne);
    await member.get([{ id: 3 }]);
    removeReaders[0]?.();
    expect(counts.bytes).toBe(2 * ofOne);
    removeReaders[1]?.();
    expect(counts.bytes).toBe(0);
  });
});
