/** One load per key, for any number of callers and cancellations. */
import { describe, expect, it } from 'vitest';
import { GatewayError } from '../../../src/errors.js';
import { createCancellation } from '../../../src/lib/cancellation.js';
import { createCounter } from '../../support/cache/cacheParts.js';
import { createCancelled, createCountedCancellation } from '../../support/cache/cancellations.js';
import { down, keys, start, turn } from '../../support/cache/siteCache.js';

describe('one load per key', () => {
  it('serves a thousand callers', async () => {
    const { fetch, platform } = start();
    const all = Array.from({ length: 1000 }, () => fetch());
    await platform.respond('one');
    const origins = (await Promise.all(all)).map(({ origin }) => origin);
    expect(platform.loads()).toBe(1);
    expect(origins.filter((origin) => origin === 'network')).toHaveLength(1);
    expect(origins.filter((origin) => origin === 'shared')).toHaveLength(999);
  });

  it('fails all waiting callers with one error, and stores nothing', async () => {
    const { fetch, platform, cache } = start();
    const all = Promise.allSettled([fetch(), fetch()]);
    await platform.fail(down);
    expect(await all).toEqual([
      { status: 'rejected', reason: down },
      { status: 'rejected', reason: down },
    ]);
    expect(cache.usage().entries).toBe(0);
    const again = fetch();
    await platform.respond('one');
    expect(await again).toMatchObject({ value: 'one', origin: 'network' });
  });

  it('is repeated for a caller that shared the load of an operation without calls left', async () => {
    const { fetch, platform } = start();
    const tooMany = new GatewayError('TOO_MANY_REST_CALLS', 'The operation takes more than 1 REST calls.');
    const load = () => Promise.reject(tooMany);
    const exhausted = Promise.allSettled([fetch({ load }), fetch({ load })]);
    const others = Promise.allSettled([fetch(), fetch()]);
    const rejected = { status: 'rejected', reason: tooMany };
    expect(await exhausted).toEqual([rejected, rejected]);
    await turn();
    expect(platform.loads()).toBe(1);
    await platform.respond('one');
    const loaded = expect.objectContaining({ value: 'one' });
    expect(await others).toEqual([
      { status: 'fulfilled', value: loaded },
      { status: 'fulfilled', value: loaded },
    ]);
  });

  it('continues when its first caller cancels and others wait', async () => {
    const { fetch, platform } = start();
    const leaving = createCancellation();
    const first = fetch({ cancellation: leaving });
    const second = fetch({ cancellation: createCancellation() });
    await turn();
    leaving.abort();
    await expect(first).rejects.toMatchObject({ code: 'CANCELLED' });
    await platform.respond('one');
    expect(await second).toMatchObject({ value: 'one', origin: 'shared' });
    expect(platform.cancellations[0]?.isCancelled()).toBe(false);
  });

  it('is aborted when all callers have cancelled, and the next caller starts another', async () => {
    const { fetch, platform, cache } = start();
    const leaving = createCancellation();
    const all = Promise.allSettled([fetch({ cancellation: leaving }), fetch({ cancellation: leaving })]);
    await turn();
    leaving.abort();
    const next = fetch();
    expect((await all).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(platform.cancellations[0]?.isCancelled()).toBe(true);
    await turn();
    expect(platform.loads()).toBe(2);
    await platform.respond('of the dead one');
    await platform.respond('one');
    expect(await next).toMatchObject({ value: 'one' });
    expect(cache.usage().entries).toBe(1);
  });

  it('does not start for a cancelled caller', async () => {
    const { fetch, platform } = start();
    await expect(fetch({ cancellation: createCancelled() })).rejects.toMatchObject({
      code: 'CANCELLED',
    });
    await turn();
    expect(platform.loads()).toBe(0);
  });

  it('leaves no listener where one cancellation waits for a hundred loads', async () => {
    const { cache } = start();
    const counter = createCounter();
    const cancellation = createCountedCancellation();
    const fetches = Array.from({ length: 100 }, (_, siteId) =>
      cache.fetch({
        key: keys.key({ name: 'site', parameter: siteId }),
        kind: 'site',
        load: counter.load,
        cancellation,
      }),
    );
    await Promise.all(fetches);
    await turn();
    expect(counter.loads()).toBe(100);
    expect(cancellation.listenerCount()).toBe(0);
  });
});
