/** The token states of a process that shares nothing. */
import { expect, it } from 'vitest';
import { createTokenTexts, MAX_TOKEN_TEXTS } from '../../../src/gateway/coordinator.js';
import { createManualClock } from '../../support/cache/cacheParts.js';

const LIFE_MS = 3_600_000;

it.each([
  ['stored', MAX_TOKEN_TEXTS - 1, 'state'],
  ['forgotten', MAX_TOKEN_TEXTS, undefined],
])('a token state is %s after %i others', (_, count, text) => {
  const texts = createTokenTexts(createManualClock());
  const store = (name: string) => texts.replace(name, texts.read(name).version, 'state', LIFE_MS);
  store('first');
  for (let index = 0; index < count; index++) store(`other ${index}`);
  expect(texts.read('first').text).toBe(text);
});

it('a token state is replaced only if it has the version that was read', () => {
  const clock = createManualClock();
  const texts = createTokenTexts(clock);
  const { version } = texts.read('name');
  expect(texts.replace('name', version, 'one', LIFE_MS)).toMatchObject({ text: 'one', isReplaced: true });
  expect(texts.replace('name', version, 'two', LIFE_MS)).toMatchObject({ text: 'one', isReplaced: false });
  expect(texts.read('name')).toMatchObject({ text: 'one', nowMs: clock.now() });
});
