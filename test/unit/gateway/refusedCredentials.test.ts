/** Guesses at the Secret of a Key do not lock out its owner while the owner is active. */
import { expect, it } from 'vitest';
import { createRefusedCredentials, toCredentialId } from '../../../src/gateway/refusedCredentials.js';

const HOUR_MS = 3_600_000;
const credential = (secret: string) => ({ kind: 'client' as const, key: 'key', secret });

it.each([
  ['in use within the hour', true, undefined],
  ['not in use for an hour', false, expect.objectContaining({ code: 'AUTHENTICATION_UNAVAILABLE' })],
])('the owner is %s', (_, isInUse, refusal) => {
  let nowMs = 0;
  const refused = createRefusedCredentials({ now: () => nowMs });
  refused.addAccepted(credential('right'), '192.0.2.1');
  nowMs += HOUR_MS / 2;
  if (isInUse) refused.renewAccepted(toCredentialId(credential('right')));
  nowMs += HOUR_MS / 2;
  for (let guess = 0; guess < 5; guess++) refused.add(credential(`wrong ${guess}`), '192.0.2.2');
  expect(refused.getRefusal(credential('right'), '192.0.2.1')).toEqual(refusal);
});
