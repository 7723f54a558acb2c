/** The cache dependencies of an operation, and whether another operation matches them. */
import { describe, expect, it } from 'vitest';
import { createCredentialScope, createKeyBuilder } from '../../../../src/cache/cacheKey.js';
import { createDependencyRecorder, type ReadSet } from '../../../../src/sources/core/cacheDependencies.js';
import { required } from '../../../support/gateway.js';

const keys = createKeyBuilder(createCredentialScope('http://platform.example', 'key'));
const keyOf = (id: number) => keys.endpointKey('site', '/v2.0/site/{siteId}', id);
const [one, other] = [{ items: [1] }, { items: [1] }];

function createWorld(held: Record<string, unknown>) {
  const taken: string[] = [];
  const readings = createDependencyRecorder((key) => {
    taken.push(key.text);
    return held[key.text];
  });
  return { readings, taken };
}

/** The dependencies of an operation that read `values` under the keys 0, 1, … */
function takenOf(...values: unknown[]): ReadSet {
  const { readings } = createWorld({});
  for (const [id, value] of values.entries()) readings.record(keyOf(id), 'site', value);
  return required(readings.readSet());
}

describe('the dependencies of an operation', () => {
  it('match where the same values are cached', () => {
    const { readings } = createWorld({ [keyOf(0).text]: one, [keyOf(1).text]: null });
    expect(readings.matches(takenOf(one, null, undefined))).toBe(true);
  });

  it.each([
    ['an equal value', [other]],
    ['nothing', [undefined]],
    ['null', [null]],
    ['a string', ['1']],
  ])('differ where %s was cached', (_, values) => {
    expect(createWorld({ [keyOf(0).text]: one }).readings.matches(takenOf(...values))).toBe(false);
  });

  it('differ where a missing value is now cached', () => {
    const { readings } = createWorld({ [keyOf(1).text]: other });
    expect(readings.matches(takenOf(undefined, undefined))).toBe(false);
  });

  it('match the values that were read before, for any present cache', () => {
    const { readings, taken } = createWorld({ [keyOf(0).text]: other });
    readings.record(keyOf(0), 'site', one);
    expect([readings.matches(takenOf(one)), readings.matches(takenOf(other)), taken]).toEqual([
      true,
      false,
      [],
    ]);
  });

  it('are compared again when the other operation has read more', () => {
    const { readings } = createWorld({ [keyOf(0).text]: one, [keyOf(1).text]: one });
    const running = createWorld({}).readings;
    running.record(keyOf(0), 'site', one);
    const readSet = required(running.readSet());
    expect(readings.matches(readSet)).toBe(true);
    running.record(keyOf(1), 'site', other);
    expect(readings.matches(readSet)).toBe(false);
  });

  it('are compared once for any number of texts', () => {
    const { readings, taken } = createWorld({ [keyOf(0).text]: one });
    const before = takenOf(one);
    for (let times = 0; times < 5; times += 1) expect(readings.matches(before)).toBe(true);
    expect(taken).toEqual([keyOf(0).text]);
  });
});

it('cache dependencies compare primitive values by value', () => {
  const { readings } = createWorld({ [keyOf(0).text]: 'ALARM' });
  expect([readings.matches(takenOf('OK')), readings.matches(takenOf('ALARM'))]).toEqual([false, true]);
});

describe('no dependencies are recorded', () => {
  it('after the first wait', () => {
    const { readings } = createWorld({ [keyOf(0).text]: one });
    readings.seal();
    expect([readings.readSet(), readings.matches(takenOf(one))]).toEqual([undefined, false]);
  });

  it('for one key with two values', () => {
    const { readings } = createWorld({});
    readings.record(keyOf(0), 'site', one);
    readings.record(keyOf(0), 'site', other);
    expect(readings.readSet()).toBeUndefined();
  });

  it('beyond a maximum', () => {
    const { readings } = createWorld({});
    readings.record(keyOf(0), 'site', one);
    const early = required(readings.readSet());
    for (let id = 1; id <= 1000; id += 1) readings.record(keyOf(id), 'site', one);
    expect(readings.readSet()).toBeUndefined();
    expect(early.size()).toBeLessThan(502);
    expect(createWorld({ [keyOf(0).text]: one }).readings.matches(early)).toBe(false);
  });
});
