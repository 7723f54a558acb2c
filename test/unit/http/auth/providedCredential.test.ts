/** The credential that a request provides, before it is verified. */
import { expect, it } from 'vitest';
import { readCredentialFromHeaders } from '../../../../src/http/auth/providedCredential.js';
import { basic } from '../../../support/sandbox/sandbox.js';

it('a Basic credential may have colons in its password', () => {
  const read = readCredentialFromHeaders({ authorization: basic('key', 'a:b:') });
  expect(read).toEqual({ basic: { user: 'key', password: 'a:b:' } });
});
