/** Cached responses: for which callers, for how long, and their invalidation. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { POLICIES } from '../../../src/cache/policies.js';
import { firstSite, startLiveGateway } from '../../support/http/live.js';

const SITE = '/v2.0/site';
const QUERY = '{ sites { nodes { id name customAttributes { name value } } } }';
const { timeToLiveMs, staleIfErrorMs } = POLICIES.site;

const gateway = await startLiveGateway();
const siteId = firstSite(gateway);

/** Each test starts with an empty response cache. */
beforeEach(() => {
  gateway.clock.advance(2 * (timeToLiveMs + staleIfErrorMs));
  gateway.sandbox.calls.reset();
});

afterEach(() => gateway.sandbox.faults.clear());

interface TextResponse {
  status: number;
  headers: Headers;
  text: string;
}

async function post(
  query: string,
  headers: Record<string, string> = {},
  signal?: AbortSignal,
): Promise<TextResponse> {
  const response = await fetch(`${gateway.url}/graphql`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify({ query }),
    ...(signal && { signal }),
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

async function get(query: string, headers: Record<string, string> = {}): Promise<TextResponse> {
  const response = await fetch(`${gateway.url}/graphql?query=${encodeURIComponent(query)}`, {
    headers: { 'Apollo-Require-Preflight': '1', ...headers },
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

const tagOf = ({ headers }: TextResponse) => headers.get('etag') ?? 'none';
const keptFor = ({ headers }: TextResponse) => headers.get('cache-control');
const rename = (name: string) => gateway.run('UPDATE site SET display_name = ? WHERE id = ?', name, siteId);

describe('a response', () => {
  it('is served again byte for byte, with its remaining freshness', async () => {
    const first = await post(QUERY);
    gateway.clock.advance(20_000);
    const second = await post(QUERY);
    expect(second.text).toBe(first.text);
    expect(tagOf(second)).toBe(tagOf(first));
    expect([keptFor(first), keptFor(second)]).toEqual(['private, max-age=60', 'private, max-age=40']);
    expect(second.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'));
  });

  it('is as fresh as its oldest part', async () => {
    expect(keptFor(await post('{ streams(first: 1) { nodes { name } } }'))).toBe('private, max-age=60');
    const sampled = await post('{ streams(first: 1) { nodes { name lastSample { value } } } }');
    expect(keptFor(sampled)).toBe('private, max-age=10');
  });

  it('is executed again after it expires', async () => {
    rename('before');
    const first = await post(QUERY);
    rename('after');
    gateway.clock.advance(timeToLiveMs - 1);
    expect((await post(QUERY)).text).toBe(first.text);
    gateway.clock.advance(timeToLiveMs + staleIfErrorMs);
    const later = await post(QUERY);
    expect(later.text).toContain('"after"');
    expect(tagOf(later)).not.toBe(tagOf(first));
  });

  it.each([
    ['POST', post],
    ['GET', get],
  ] as const)('is sent over %s as 304 to a client that has it', async (_, ask) => {
    const known = tagOf(await ask(QUERY));
    for (const tag of [known, `W/${known}`, `"other", ${known}`, '*']) {
      const result = await ask(QUERY, { 'If-None-Match': tag });
      expect([result.status, result.text, tagOf(result)]).toEqual([304, '', known]);
    }
    expect((await ask(QUERY, { 'If-None-Match': '"other"' })).status).toBe(200);
  });

  it('has the same tag when the same data is loaded again', async () => {
    const first = await post(QUERY);
    gateway.clock.advance(timeToLiveMs + staleIfErrorMs);
    expect((await post(QUERY, { 'If-None-Match': tagOf(first) })).status).toBe(304);
    expect(gateway.sandbox.calls.countOf(SITE)).toBe(2);
  });
});

describe('the response cache', () => {
  it('stores no response with an error', async () => {
    gateway.sandbox.faults.add({ match: SITE, status: 400 });
    const failed = await post(QUERY);
    expect([failed.text.includes('PLATFORM_REFUSED'), keptFor(failed), tagOf(failed)]).toEqual([
      true,
      'no-store',
      'none',
    ]);
    gateway.sandbox.faults.clear();
    expect((await post(QUERY)).text).not.toContain('errors');
  });

  it('is bypassed by no-cache and by X-Explain', async () => {
    rename('before');
    await post(QUERY);
    rename('after');
    expect((await post(QUERY, { 'Cache-Control': 'no-cache' })).text).toContain('"after"');
    expect((await post(QUERY)).text).toContain('"after"');
    const explained = await post(QUERY, { 'X-Explain': '1' });
    expect([explained.text.includes('"explain"'), keptFor(explained)]).toEqual([true, 'no-store']);
    expect((await post(QUERY)).text).not.toContain('"explain"');
  });

  it('of a browser serves no response to a GET in place of an explanation', async () => {
    const result = await get(QUERY);
    expect(keptFor(result)).toBe('private, max-age=60');
    expect(result.headers.get('vary')?.split(', ')).toContain('X-Explain');
  });

  it('serves no response that a write made stale, nor the payload of the write', async () => {
    await post(QUERY);
    const value = `written ${gateway.clock.now()}`;
    const mutation = `mutation { setSiteCustomAttributes(input: { attributes: [
      { siteId: "${siteId}", name: "Asset owner", value: "${value}" }] }) { userErrors { message } sites { id } } }`;
    const written = await post(mutation);
    expect([written.text.includes('errors"'), keptFor(written)]).toEqual([false, 'no-store']);
    expect((await post(QUERY)).text).toContain(value);
    gateway.sandbox.calls.reset();
    await post(mutation);
    expect(gateway.restCalls().filter(({ method }) => method === 'POST')).toHaveLength(1);
  });
});

describe('concurrent requests for one response', () => {
  const many = Array.from({ length: 20 }, (_, index) => index);

  it('share one execution, which continues when the first client disconnects', async () => {
    gateway.sandbox.faults.add({ match: SITE, latencyMs: 200 });
    const leaving = new AbortController();
    const first = post(QUERY, {}, leaving.signal);
    const others = many.map(() => post(QUERY));
    setTimeout(() => leaving.abort(), 50);
    await expect(first).rejects.toThrow('abort');
    const texts = (await Promise.all(others)).map(({ text }) => text);
    expect(new Set(texts).size).toBe(1);
    expect(texts[0]).toContain('"sites"');
    expect(gateway.sandbox.calls.countOf(SITE)).toBe(1);
  });

  it('have their own request ids in errors', async () => {
    gateway.sandbox.faults.add({ match: SITE, latencyMs: 100, status: 400 });
    const results = await Promise.all(
      many.map((index) => post(QUERY, { 'X-Request-Id': `request-${index}` })),
    );
    for (const [index, { text }] of results.entries()) {
      expect(JSON.parse(text).errors[0].extensions.requestId).toBe(`request-${index}`);
    }
  });
});
