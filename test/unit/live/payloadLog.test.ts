/** The results that members of a group have not taken. */
import { describe, expect, it } from 'vitest';
import { PayloadBatch, PayloadLog } from '../../../src/live/payloads.js';

const toPayload = (length: number) => ({ text: 'x'.repeat(length), cursor: undefined, position: undefined });

describe('PayloadLog.read', () => {
  const log = new PayloadLog(1_000_000);
  log.append([100, 100, 5000, 100].map(toPayload));

  it.each([
    [0, 2, undefined, 2],
    [0, 4, 1000, 2],
    [1, 4, 1000, 1],
    [2, 4, 1000, 1],
    [3, 4, 1000, 1],
    [0, 4, 10_000, 4],
  ])('from %i on returns at most %i results and %j bytes: %i results', (from, count, maxBytes, expected) => {
    expect(log.read(from, count, maxBytes)).toHaveLength(expected);
  });
});

it('PayloadLog.append discards only earlier results, however long the new ones are', () => {
  const log = new PayloadLog(1000);
  log.append([600, 600, 600].map(toPayload));
  expect([log.start, log.end]).toEqual([0, 3]);
  log.append([toPayload(100)]);
  expect([log.start, log.end]).toEqual([3, 4]);
});

it('PayloadBatch.framed shares the forms of a batch, and keeps only the latest', () => {
  const batch = new PayloadBatch([toPayload(100)]);
  const created: string[] = [];
  const frame = (key: string) => batch.framed(key, () => created.push(key));
  for (let round = 0; round < 2; round++)
    for (let length = 0; length < 8; length++) frame(`websocket ${length}`);
  expect(created).toHaveLength(8);
  for (let length = 0; length < 1000; length++) frame(`websocket ${length}`);
  frame('websocket 999');
  expect(created).toHaveLength(1000);
  frame('websocket 0');
  expect(created.at(-1)).toBe('websocket 0');
});
