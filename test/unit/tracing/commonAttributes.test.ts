/** Attributes that many spans have in common. */
import { expect, it } from 'vitest';
import { CommonAttributes } from '../../../src/tracing/span.js';

it('are one object for each key, and bounded', () => {
  const common = new CommonAttributes();
  const get = (key: string) => common.get(key, (name) => ({ name }));
  const first = get('first');
  expect(first).toEqual({ name: 'first' });
  expect(get('first')).toBe(first);
  for (let count = 0; count < 999; count++) get(String(count));
  expect(get('first')).toBe(first);
  get('one too many');
  expect(get('first')).not.toBe(first);
});
