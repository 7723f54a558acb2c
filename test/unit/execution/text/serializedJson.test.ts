import { constants } from 'node:buffer';
import { expect, it } from 'vitest';
import { joinPromisedText } from '../../../../src/execution/text/serializedJson.js';

it('joins text in its order when all promises have resolved', async () => {
  const late = new Promise<string>((resolve) => setImmediate(resolve, 'a'));
  expect(await joinPromisedText([late, 'b', Promise.resolve('c')])).toBe('abc');
});

it('rejects for a text that is longer than a string can be', async () => {
  const half = 'x'.repeat(constants.MAX_STRING_LENGTH / 2 + 1);
  await expect(joinPromisedText([half, Promise.resolve(half)])).rejects.toThrow('Invalid string length');
});
