/** Guesses at the Secret of a Key do not lock out its owner while the owner is active. */
import { expect, it } from 'vitest';
import { GatewayError } from '../../../src/errors.js';
import {
  MAX_STORED_CREDENTIALS,
  RefusedCredentials,
  toCredentialId,
} from '../../../src/gateway/refusedCredentials.js';

const HOUR_MS = 3_600_000;
const credential = (secret: string) => ({ kind: 'client' as const, key: 'key', secret });

it.each([
  ['in use within the hour', true, undefined],
  ['not in use for an hour', false, expect.objectContaining({ code: 'AUTHENTICATION_UNAVAILABLE' })],
])('the owner is %s', (_, isInUse, refusal) => {
  let nowMs = 0;
  const refused = new RefusedCredentials({ now: () => nowMs });
  refused.addAccepted(credential('right'), '192.0.2.1');
  nowMs += HOUR_MS / 2;
  if (isInUse) refused.renewAccepted(toCredentialId(credential('right')));
  nowMs += HOUR_MS / 2;
  for (let guess = 0; guess < 5; guess++) refused.add(credential(`wrong ${guess}`), '192.0.2.2');
  expect(refused.getRefusal(credential('right'), '192.0.2.1')).toEqual(refusal);
});

const others = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ kind: 'token' as const, token: `token ${index}` }));

it.each([
  ['accepted', MAX_STORED_CREDENTIALS - 1, undefined],
  ['evicted', MAX_STORED_CREDENTIALS, expect.objectContaining({ code: 'AUTHENTICATION_UNAVAILABLE' })],
])('the owner is %s after %i further credentials were accepted', (_, count, refusal) => {
  const refused = new RefusedCredentials({ now: () => 0 });
  refused.addAccepted(credential('right'), '192.0.2.1');
  for (const other of others(count)) refused.addAccepted(other, '192.0.2.1');
  for (let guess = 0; guess < 5; guess++) refused.add(credential(`wrong ${guess}`), '192.0.2.2');
  expect(refused.getRefusal(credential('right'), '192.0.2.1')).toEqual(refusal);
});

it.each([
  ['stored', MAX_STORED_CREDENTIALS - 1, 'UNAUTHENTICATED'],
  ['evicted', MAX_STORED_CREDENTIALS, 'AUTHENTICATION_UNAVAILABLE'],
])('a refused credential is %s after %i further refusals', (_, count, code) => {
  const refused = new RefusedCredentials({ now: () => 0 });
  refused.add(credential('wrong'), '192.0.2.1');
  for (const other of others(count)) refused.add(other, '192.0.2.2');
  expect(refused.getRefusal(credential('wrong'), '192.0.2.1')).toMatchObject({ code });
});

it.each([
  ['limited', MAX_STORED_CREDENTIALS - 1, expect.objectContaining({ code: 'AUTHENTICATION_UNAVAILABLE' })],
  ['evicted', MAX_STORED_CREDENTIALS, undefined],
])('a Key with wrong Secrets is %s after refusals of %i others', (_, count, refusal) => {
  let nowMs = 0;
  const refused = new RefusedCredentials({ now: () => nowMs });
  for (let guess = 0; guess < 5; guess++) refused.add(credential(`wrong ${guess}`), '192.0.2.1');
  for (const other of others(count)) refused.add(other, '192.0.2.2');
  // Only the limit of a Key lasts longer than a minute.
  nowMs += 120_000;
  expect(refused.getRefusal(credential('another'), '192.0.2.3')).toEqual(refusal);
});

it.each([
  ['not tried', MAX_STORED_CREDENTIALS - 1, expect.objectContaining({ code: 'PLATFORM_RATE_LIMITED' })],
  ['evicted', MAX_STORED_CREDENTIALS, undefined],
])('a Key that the platform limits is %s after it has limited %i others', (_, count, refusal) => {
  const refused = new RefusedCredentials({ now: () => 0 });
  const limit = new GatewayError('PLATFORM_RATE_LIMITED', 'Later.', { retryAfterMs: 1000 });
  refused.addLimit(credential('wrong'), limit);
  for (const other of others(count)) refused.addLimit(other, limit);
  expect(refused.getRefusal(credential('another'), '192.0.2.3')).toEqual(refusal);
});

it.each([
  ['limited', MAX_STORED_CREDENTIALS - 1, 'RATE_LIMITED'],
  ['evicted', MAX_STORED_CREDENTIALS, 'AUTHENTICATION_UNAVAILABLE'],
])('an address with refused credentials is %s after refusals from %i others', (_, count, code) => {
  const refused = new RefusedCredentials({ now: () => 0 });
  for (let guess = 0; guess < 10; guess++) refused.add(credential(`wrong ${guess}`), '192.0.2.1');
  for (const [index, other] of others(count).entries()) {
    refused.add(other, `10.0.${index >> 8}.${index & 255}`);
  }
  expect(refused.getRefusal({ kind: 'token', token: 'another' }, '192.0.2.1')).toMatchObject({ code });
});
