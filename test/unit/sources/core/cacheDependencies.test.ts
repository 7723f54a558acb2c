/** The cache dependencies of an operation, and whether another operation matches them. */
import { describe, expect, it } from 'vitest';
import { createCredentialScope, createKeyBuilder } from '../../../../src/cache/cacheKey.js';
import { createDependencyRecorder, type ReadSet } from '../../../../src/sources/core/cacheDependencies.js';
import { required } from '../../../support/gateway.js';

const keys = createKeyBuilder(createCredentialScope('http://platform.example', 'key'));
const keyOf = (id: number) => keys.endpointKey('site', '/v2.0/site/{siteId}', id);
const [one, other] = [{ items: [1] }, { items: [1] }];

function createWorld(cached: Record<string, unknown>) {
  const taken: string[] = [];
  const dependencies = createDependencyRecorder((key) => {
    taken.push(key.text);
    return cached[key.text];
  });
  return { dependencies, taken };
}

/** The dependencies of an operation that read `values` under the keys 0, 1, … */
function dependenciesRead(...values: unknown[]): ReadSet {
  const { dependencies } = createWorld({});
  for (const [id, value] of values.entries()) dependencies.record(keyOf(id), 'site', value);
  return required(dependencies.readSet());
}

describe('the dependencies of an operation', () => {
  it('match where the same values are cached', () => {
    const { dependencies } = createWorld({ [keyOf(0).text]: one, [keyOf(1).text]: null });
    expect(dependencies.matches(dependenciesRead(one, null, undefined))).toBe(true);
  });

  it.each([
    ['an equal value', [other]],
    ['nothing', [undefined]],
    ['null', [null]],
    ['a string', ['1']],
  ])('differ where %s was cached', (_, values) => {
    expect(createWorld({ [keyOf(0).text]: one }).dependencies.matches(dependenciesRead(...values))).toBe(
      false,
    );
  });

  it('differ where a missing value is now cached', () => {
    const { dependencies } = createWorld({ [keyOf(1).text]: other });
    expect(dependencies.matches(dependenciesRead(undefined, undefined))).toBe(false);
  });

  it('match the values that were read before, for any present cache', () => {
    const { dependencies, taken } = createWorld({ [keyOf(0).text]: other });
    dependencies.record(keyOf(0), 'site', one);
    expect([
      dependencies.matches(dependenciesRead(one)),
      dependencies.matches(dependenciesRead(other)),
      taken,
    ]).toEqual([true, false, []]);
  });

  it('are compared again when the other operation has read more', () => {
    const { dependencies } = createWorld({ [keyOf(0).text]: one, [keyOf(1).text]: one });
    const running = createWorld({}).dependencies;
    running.record(keyOf(0), 'site', one);
    const readSet = required(running.readSet());
    expect(dependencies.matches(readSet)).toBe(true);
    running.record(keyOf(1), 'site', other);
    expect(dependencies.matches(readSet)).toBe(false);
  });

  it('are compared once for any number of texts', () => {
    const { dependencies, taken } = createWorld({ [keyOf(0).text]: one });
    const before = dependenciesRead(one);
    for (let times = 0; times < 5; times += 1) expect(dependencies.matches(before)).toBe(true);
    expect(taken).toEqual([keyOf(0).text]);
  });
});

it('cache dependencies compare primitive values by value', () => {
  const { dependencies } = createWorld({ [keyOf(0).text]: 'ALARM' });
  expect([
    dependencies.matches(dependenciesRead('OK')),
    dependencies.matches(dependenciesRead('ALARM')),
  ]).toEqual([false, true]);
});

describe('no dependencies are recorded', () => {
  it('after the first wait', () => {
    const { dependencies } = createWorld({ [keyOf(0).text]: one });
    dependencies.seal();
    expect([dependencies.readSet(), dependencies.matches(dependenciesRead(one))]).toEqual([undefined, false]);
  });

  it('for one key with two values', () => {
    const { dependencies } = createWorld({});
    dependencies.record(keyOf(0), 'site', one);
    dependencies.record(keyOf(0), 'site', other);
    expect(dependencies.readSet()).toBeUndefined();
  });

  it('beyond a maximum', () => {
    const { dependencies } = createWorld({});
    dependencies.record(keyOf(0), 'site', one);
    const early = required(dependencies.readSet());
    for (let id = 1; id <= 1000; id += 1) dependencies.record(keyOf(id), 'site', one);
    expect(dependencies.readSet()).toBeUndefined();
    expect(early.size()).toBeLessThan(502);
    expect(createWorld({ [keyOf(0).text]: one }).dependencies.matches(early)).toBe(false);
  });
});
