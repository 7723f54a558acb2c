import { describe, expect, it } from 'vitest';
import { isRecord, toRecord } from '../../../src/lib/records.js';

describe('a record', () => {
  it('is an object with named fields', () => {
    expect(isRecord({ id: 1 })).toBe(true);
  });

  it.each([null, undefined, [1], 'text', 1])('is not %j', (value) => {
    expect(isRecord(value)).toBe(false);
    expect(toRecord(value)).toEqual({});
  });
});
