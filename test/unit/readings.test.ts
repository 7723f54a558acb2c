/** What an operation took from the cache, and whether another finds the same. */
import { describe, expect, it } from 'vitest';
import { createCredentialScope, createKeyBuilder } from '../../src/cache/cacheKey.js';
import { createReadings, type Taken } from '../../src/sources/readings.js';
import { required } from '../support/gateway.js';

const keys = createKeyBuilder(createCredentialScope('http://platform.example', 'key'));
const keyOf = (id: number) => keys.answerKey('site', '/v2.0/site/{siteId}', id);
const [one, other] = [{ items: [1] }, { items: [1] }];

function createWorld(held: Record<string, unknown>) {
  const taken: string[] = [];
  const readings = createReadings((key) => {
    taken.push(key.text);
    return held[key.text];
  });
  return { readings, taken };
}

/** Of an operation that found `values` under the keys 0, 1, … */
function takenOf(...values: unknown[]): Taken {
  const { readings } = createWorld({});
  for (const [id, value] of values.entries()) readings.note(keyOf(id), 'site', value);
  return required(readings.taken());
}

describe('another operation finds', () => {
  it('the same, where the same values are held', () => {
    const { readings } = createWorld({ [keyOf(0).text]: one, [keyOf(1).text]: null });
    expect(readings.finds(takenOf(one, null, undefined))).toBe(true);
  });

  it.each([
    ['a value like it', [other]],
    ['nothing', [undefined]],
    ['null', [null]],
    ['a text', ['1']],
  ])('something else, where %s was held', (_, values) => {
    expect(createWorld({ [keyOf(0).text]: one }).readings.finds(takenOf(...values))).toBe(false);
  });

  it('something else, where there is something now', () => {
    const { readings } = createWorld({ [keyOf(1).text]: other });
    expect(readings.finds(takenOf(undefined, undefined))).toBe(false);
  });

  it('what it has found before, whatever is held by now', () => {
    const { readings, taken } = createWorld({ [keyOf(0).text]: other });
    readings.note(keyOf(0), 'site', one);
    expect([readings.finds(takenOf(one)), readings.finds(takenOf(other)), taken]).toEqual([true, false, []]);
  });

  it('out anew when the other has taken more', () => {
    const { readings } = createWorld({ [keyOf(0).text]: one, [keyOf(1).text]: one });
    const running = createWorld({}).readings;
    running.note(keyOf(0), 'site', one);
    const taken = required(running.taken());
    expect(readings.finds(taken)).toBe(true);
    running.note(keyOf(1), 'site', other);
    expect(readings.finds(taken)).toBe(false);
  });

  it('out once for however many texts', () => {
    const { readings, taken } = createWorld({ [keyOf(0).text]: one });
    const before = takenOf(one);
    for (let times = 0; times < 5; times += 1) expect(readings.finds(before)).toBe(true);
    expect(taken).toEqual([keyOf(0).text]);
  });
});

it('values that are no objects differ by themselves', () => {
  const { readings } = createWorld({ [keyOf(0).text]: 'ALARM' });
  expect([readings.finds(takenOf('OK')), readings.finds(takenOf('ALARM'))]).toEqual([false, true]);
});

describe('nothing can be told', () => {
  it('once something is waited for', () => {
    const { readings } = createWorld({ [keyOf(0).text]: one });
    readings.close();
    expect([readings.taken(), readings.finds(takenOf(one))]).toEqual([undefined, false]);
  });

  it('of one key with two values', () => {
    const { readings } = createWorld({});
    readings.note(keyOf(0), 'site', one);
    readings.note(keyOf(0), 'site', other);
    expect(readings.taken()).toBeUndefined();
  });

  it('of very many', () => {
    const { readings } = createWorld({});
    readings.note(keyOf(0), 'site', one);
    const early = required(readings.taken());
    for (let id = 1; id <= 1000; id += 1) readings.note(keyOf(id), 'site', one);
    expect(readings.taken()).toBeUndefined();
    expect(early.size()).toBeLessThan(502);
    expect(createWorld({ [keyOf(0).text]: one }).readings.finds(early)).toBe(false);
  });
});
