/** Bounds of numbers in arguments. */
import { describe, expect, it } from 'vitest';
import { readFirst } from '../../../../src/graphql/arguments/bounds.js';

describe('readFirst', () => {
  it('is a hundred by default, and at most a thousand', () => {
    expect([readFirst(undefined), readFirst(null), readFirst(1), readFirst(1000)]).toEqual([
      100, 100, 1, 1000,
    ]);
    for (const first of [0, -1, 1001]) expect(() => readFirst(first)).toThrow(/^first: /);
  });
});
