/** Shapes that many spans have in common. */
import { expect, it } from 'vitest';
import { SpanKind, SpanShape, SpanShapes } from '../../../src/tracing/span.js';

it('span shapes are one object for each key, and bounded', () => {
  const shapes = new SpanShapes();
  const get = (key: string) => shapes.get(key, (name) => new SpanShape(name, SpanKind.internal));
  const first = get('first');
  expect(first).toEqual(new SpanShape('first', SpanKind.internal));
  expect(get('first')).toBe(first);
  for (let count = 0; count < 999; count++) get(String(count));
  expect(get('first')).toBe(first);
  get('one too many');
  expect(get('first')).not.toBe(first);
});
