/** Processes with different tokens, as after a time without Redis, when the platform invalidates all of them. */
import { expect, it } from 'vitest';
import { silentLogger } from '../../../../src/lib/logger.js';
import { createTokenManager } from '../../../../src/rest/auth/tokenManager.js';
import type { SharedTokenStore } from '../../../../src/rest/auth/tokenStateStore.js';
import { createTestClock } from '../../../support/sandbox/sandbox.js';

const ENDPOINT = '401 /v2.0/site';

it('a token of another process is also replaced if it is refused', async () => {
  const clock = createTestClock();
  let isConnected = false;
  let text: string | undefined;
  const content = () => ({ text, version: '', nowMs: clock.now() });
  const store: SharedTokenStore = {
    read: async () => (isConnected ? content() : undefined),
    async replace(_, next) {
      text = next;
      return { ...content(), isReplaced: true };
    },
  };
  const sleep = async () => {};
  const start = (name: string) => {
    let issued = 0;
    const requestToken = async () => ({ accessToken: `${name}${++issued}`, expiresIn: 3600 });
    return createTokenManager({ clock, logger: silentLogger, requestToken, store, sleep });
  };
  const [one, other] = [start('one'), start('other')];
  expect(await one.get()).toBe('one1');
  isConnected = true;
  expect(await other.get()).toBe('other1');
  expect(await other.get('other1')).toBe('other2');

  clock.advance(1000);
  expect(one.refuse('one1', ENDPOINT)).toBe('renew');
  expect(await one.get('one1')).toBe('other2');
  expect(one.refuse('other2', ENDPOINT)).toBe('renew');
  expect(one.refusedEndpoints.isFinal(ENDPOINT)).toBe(false);
  expect(await one.get()).toBe('one2');
  // A token that was requested after the refusal proves that another one does not help.
  expect(one.refuse('one2', ENDPOINT)).toBe('final');
});
