/** The response cache alone: its bounds, and which entries it returns. */
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type CachedResponse, toCachedResponse } from '../../../../src/http/responseCache/cachedResponse.js';
import { ResponseCache, toRequestKey } from '../../../../src/http/responseCache/responseCache.js';
import type { Cancellation } from '../../../../src/lib/cancellation.js';
import { nextTurn } from '../../../../src/lib/slicedComputation.js';

const notCancelled = { isCancelled: () => false, onCancelled: () => () => undefined };
const responseOf = (body: string): CachedResponse =>
  toCachedResponse(body, { contentType: 'application/json', freshUntilMs: 1000 });
const requestOf = (key: string, version = 0, numbersVersion = 0) => ({ key, version, numbersVersion });

function createFilled(maxBytes?: number) {
  const cache = new ResponseCache<string>(maxBytes === undefined ? {} : { maxBytes });
  /** Stored from the second request on. */
  const store = (key: string, body: string) => {
    cache.set(requestOf(key), responseOf(body), 0);
    cache.set(requestOf(key), responseOf(body), 0);
  };
  return { cache, store };
}

describe('the response cache', () => {
  it('stores a response when the same request comes again', () => {
    const { cache } = createFilled();
    cache.set(requestOf('a'), responseOf('x'), 0);
    expect(cache.get(requestOf('a'), 0)).toBeUndefined();
    cache.set(requestOf('a'), responseOf('x'), 0);
    expect(cache.get(requestOf('a'), 0)?.body).toBe('x');
  });

  it('stores the responses of any two requests that come in turns', () => {
    // Enough pairs that the hashes of some would share a place.
    for (let pair = 0; pair < 20_000; pair++) {
      const { cache } = createFilled();
      const requests = [requestOf(`${pair} one`), requestOf(`other ${pair}, ${pair * pair}`)];
      for (const request of [...requests, ...requests]) cache.set(request, responseOf('x'), 0);
      const isStored = requests.map((request) => cache.get(request, 0) !== undefined);
      if (isStored.includes(false)) expect([pair, isStored]).toEqual([pair, [true, true]]);
    }
  });

  it.each([
    ['of another version', requestOf('a', 1), 0],
    ['with numbers from before a poll', requestOf('a', 0, 1), 0],
    ['that is stale', requestOf('a'), 1000],
    ['from the future, after the clock was set back', requestOf('a'), -1],
  ])('returns no response %s', (_, request, nowMs) => {
    const { cache, store } = createFilled();
    store('a', 'x');
    expect(cache.get(request, nowMs)).toBeUndefined();
  });

  it('returns a response without numbers after a poll, and none of another version', () => {
    const { cache } = createFilled();
    const response = { ...responseOf('x'), readsNumbers: false };
    for (let time = 0; time < 2; time++) cache.set(requestOf('a'), response, 0);
    expect(cache.get(requestOf('a', 0, 1), 0)?.body).toBe('x');
    expect(cache.get(requestOf('a', 1, 1), 0)).toBeUndefined();
  });

  it('charges keys, bodies in UTF-8 and compressed forms, and stays within its bound', () => {
    const maxBytes = 1024 * 1024;
    const { cache, store } = createFilled(maxBytes);
    store('k'.repeat(1000), 'ä'.repeat(5000));
    const { bytes } = cache.usage();
    expect(bytes).toBeGreaterThanOrEqual(2000 + 10_000);
    const key = requestOf('k'.repeat(1000));
    cache.addEncoded(key, cache.get(key, 0)?.entityTag ?? '', 'gzip', Buffer.alloc(3000));
    expect(cache.usage()).toEqual({ entries: 1, bytes: bytes + 3000 });
    expect(cache.get(key, 0)?.encoded?.gzip).toHaveLength(3000);
    for (let index = 0; index < 300; index++) store(`${index} ${'k'.repeat(1000)}`, 'x'.repeat(4000));
    expect(cache.usage().bytes).toBeLessThanOrEqual(maxBytes);
    expect(cache.usage().entries).toBeGreaterThan(100);
    expect(cache.get(key, 0)).toBeUndefined();
  });

  it('adds a compressed form only to the response that it was made from', () => {
    const { cache, store } = createFilled();
    store('a', 'x');
    cache.addEncoded(requestOf('a'), '"other"', 'gzip', Buffer.alloc(1));
    cache.addEncoded(
      requestOf('a', 1),
      cache.get(requestOf('a'), 0)?.entityTag ?? '',
      'gzip',
      Buffer.alloc(1),
    );
    cache.addEncoded(requestOf('b'), '"other"', 'gzip', Buffer.alloc(1));
    expect(cache.get(requestOf('a'), 0)?.encoded).toBeUndefined();
    expect(cache.usage().entries).toBe(1);
  });
});

describe('a cached response', () => {
  it.each([
    ['short', 'x'.repeat(4096), 4096],
    ['short and beyond Latin-1', 'ж'.repeat(2048), 4096],
    ['long', 'x'.repeat(4097), 4097],
    ['long, with characters of two bytes', 'ä'.repeat(4097), 8194],
    ['long and beyond Latin-1', `${'ж'.repeat(4096)}😀`, 8196],
  ])('has the length and the tag of its UTF-8: %s', (_, text, bytes) => {
    const response = responseOf(text);
    const utf8 = Buffer.from(text);
    expect(response.bytes).toBe(bytes);
    expect(Buffer.from(response.body).equals(utf8)).toBe(true);
    const sha256 = createHash('sha256').update(utf8).digest('base64url');
    expect(response.entityTag).toBe(`"${sha256.slice(0, 22)}"`);
  });
});

describe('executions in flight', () => {
  /** Starts executions of these keys and ends all of them; returns how many began. */
  async function countExecutions(keys: readonly string[], maxInFlightBytes: number): Promise<number> {
    const cache = new ResponseCache<string>({ maxInFlightBytes });
    let began = 0;
    const joins = keys.map((key) =>
      cache.coalesce(requestOf(key), notCancelled, async () => {
        began += 1;
        return key;
      }),
    );
    expect(await Promise.all(joins)).toEqual(keys);
    return began;
  }

  it('are shared by equal requests, within the bound of their keys', async () => {
    const [one, other] = ['1'.repeat(1000), '2'.repeat(1000)];
    const keys = [one, other, one, other, one, other];
    expect(await countExecutions(keys, 10_000)).toBe(2);
    expect(await countExecutions(keys, 3000)).toBe(4);
  });

  it('wait in the turns of all their callers', async () => {
    const cache = new ResponseCache<string>();
    const waiters: (string | undefined)[] = [];
    const run = async (cancellation: Cancellation) => {
      cancellation.onWaiter?.(({ requestId }) => waiters.push(requestId));
      await nextTurn();
      return 'a';
    };
    const join = (callerId: string, requestId: string) =>
      cache.coalesce(requestOf('a'), notCancelled, run, { callerId, requestId });
    await Promise.all([join('A', '1'), join('B', '2'), join('B', '3'), join('C', '4')]);
    expect(waiters).toEqual(['2', '4']);
  });

  it('are not shared by a request after a poll', async () => {
    const cache = new ResponseCache<number>();
    const requests = [requestOf('a'), requestOf('a', 0, 1), requestOf('a', 1, 1)];
    const joins = requests.map((request, index) => cache.coalesce(request, notCancelled, async () => index));
    expect(await Promise.all(joins)).toEqual([0, 1, 2]);
  });

  it('do not begin for a client that has disconnected', async () => {
    const cache = new ResponseCache<string>();
    const run = () => expect.unreachable();
    const joining = cache.coalesce(requestOf('a'), { ...notCancelled, isCancelled: () => true }, run);
    await expect(joining).rejects.toMatchObject({ code: 'CANCELLED' });
  });

  it('free their bytes when they end', async () => {
    const cache = new ResponseCache<number>({ maxInFlightBytes: 3000 });
    let began = 0;
    const run = async () => ++began;
    for (const key of ['1', '2', '3']) {
      const request = requestOf(key.repeat(1000));
      await Promise.all([
        cache.coalesce(request, notCancelled, run),
        cache.coalesce(request, notCancelled, run),
      ]);
    }
    expect(began).toBe(3);
  });

  it('are not shared across an invalidation, and the later one is shared although the earlier one ends', async () => {
    const cache = new ResponseCache<string>();
    const ends: ((response: string) => void)[] = [];
    const run = () => new Promise<string>((resolve) => ends.push(resolve));
    const before = cache.coalesce(requestOf('a', 1), notCancelled, run);
    const after = cache.coalesce(requestOf('a', 2), notCancelled, run);
    ends[0]?.('before');
    expect(await before).toBe('before');
    const shared = cache.coalesce(requestOf('a', 2), notCancelled, run);
    expect(ends).toHaveLength(2);
    ends[1]?.('after');
    expect(await Promise.all([after, shared])).toEqual(['after', 'after']);
  });
});

describe('the key of a request', () => {
  const headers = { accept: 'application/json', 'content-type': 'application/json' };
  const request = { method: 'POST', url: '/graphql', headers };
  const key = toRequestKey('scope', request, '{}');

  it.each<[string, string]>([
    ['the scope', toRequestKey('other', request, '{}')],
    ['the method', toRequestKey('scope', { ...request, method: 'GET' }, '{}')],
    ['the address', toRequestKey('scope', { ...request, url: '/graphql?query={a}' }, '{}')],
    ['the body', toRequestKey('scope', request, '{"query":"{a}"}')],
    [
      'the accepted media types',
      toRequestKey('scope', { ...request, headers: { ...headers, accept: '*/*' } }, '{}'),
    ],
    [
      'the media type of the body',
      toRequestKey('scope', { ...request, headers: { ...headers, 'content-type': 'text/plain' } }, '{}'),
    ],
    ...['apollo-require-preflight', 'x-apollo-operation-name'].map((name): [string, string] => [
      name,
      toRequestKey('scope', { ...request, headers: { ...headers, [name]: 'x' } }, '{}'),
    ]),
  ])('depends on %s', (_, other) => {
    expect(other).not.toBe(key);
  });

  it('does not depend on the encoding and the language that a client accepts', () => {
    const more = { ...headers, 'accept-encoding': 'br', 'accept-language': 'en', 'user-agent': 'x' };
    expect(toRequestKey('scope', { ...request, headers: more }, '{}')).toBe(key);
  });
});
