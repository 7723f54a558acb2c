/** A token request that ends because its process stops. */
import { expect, it } from 'vitest';
import { createStoppingError } from '../../../../src/errors.js';
import { silentLogger } from '../../../../src/lib/logger.js';
import { createTokenRenewal } from '../../../../src/rest/auth/tokenRenewal.js';
import { createTokenStateStore } from '../../../../src/rest/auth/tokenStateStore.js';

it('a token request that its process has cut off leaves no lease and no cooldown to the others', async () => {
  const stateStore = createTokenStateStore({ clock: { now: () => 1_800_000_000_000 } });
  const renew = createTokenRenewal({
    requestToken: () => Promise.reject(createStoppingError()),
    stateStore,
    logger: silentLogger,
    sleep: (_, signal) => new Promise((resolve) => signal?.addEventListener('abort', () => resolve())),
    onStateRead() {},
  });
  await expect(renew('need', undefined)).rejects.toMatchObject({ code: 'STOPPING' });
  expect(stateStore.state()).toMatchObject({ lease: undefined, cooldown: undefined });
});
