/** Access to the REST API: tokens, paths, methods, limits. */
import { request as httpRequest } from 'node:http';
import { describe, expect, it } from 'vitest';
import { basic, requestToken, startSandbox, tokenFor } from '../support/sandbox/sandbox.js';
import { refusal, startSandboxRequests } from '../support/sandbox/sandboxRequests.js';

const { sandbox, token, ask } = await startSandboxRequests();

describe('authorization', () => {
  it.each([
    ['Bearer', (value: string) => `Bearer ${value}`],
    ['bearer', (value: string) => `bearer ${value}`],
    ['no scheme', (value: string) => value],
  ])('accepts a token with %s', async (_, header) => {
    const response = await ask('/v2.0/site', { headers: { Authorization: header(token) } });
    expect(response.status).toBe(200);
  });

  it.each([['Bearer'], ['Bearer x.y.z'], [basic('sandbox', 'sandbox')], ['']])(
    'refuses %j',
    async (header) => {
      const response = await ask('/v2.0/site', { headers: { Authorization: header } });
      expect(response.headers.get('www-authenticate')).toMatch(/^Bearer/);
      expect(await refusal(response)).toMatchObject({ status: 401 });
    },
  );

  it('refuses a token of another service, and one with the algorithm none', async () => {
    const [header, payload] = token.split('.');
    const none = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url');
    for (const forged of [`${header}.${payload}.AAAA`, `${none}.${payload}.`]) {
      expect((await ask('/v2.0/site', { headers: { Authorization: `Bearer ${forged}` } })).status).toBe(401);
    }
  });

  it('is not required for the document and the pictures', async () => {
    const plain = await fetch(`${sandbox.url}/openapi.json`);
    expect(plain.status).toBe(200);
    expect((await fetch(`${sandbox.url}/images/1.png`)).status).toBe(404);
  });
});

describe('the token endpoint', () => {
  function post(headers: Record<string, string>, body: string): Promise<Response> {
    return fetch(`${sandbox.url}/auth/token`, { method: 'POST', headers, body });
  }
  const Authorization = basic('sandbox', 'sandbox');
  const form = 'application/x-www-form-urlencoded';

  it.each([
    [form, 'grant_type=client_credentials'],
    [`${form}; charset=UTF-8`, 'scope=&grant_type=client_credentials'],
    ['application/json', '{"grant_type":"client_credentials"}'],
    ['application/json; charset=utf-8', '{"grant_type":"client_credentials"}'],
  ])('accepts %s', async (type, body) => {
    const response = await post({ Authorization, 'Content-Type': type, 'Cache-Control': 'no-cache' }, body);
    expect(response.status).toBe(200);
  });

  it.each([['grant_type=password'], [''], ['grant_type=%zz'], ['{"grant_type":1}'], ['{']])(
    'refuses the grant %j with 400',
    async (body) => {
      expect(await refusal(await post({ Authorization, 'Content-Type': form }, body))).toMatchObject({
        status: 400,
      });
    },
  );

  it.each([
    ['', ''],
    ['wrong secret', basic('sandbox', 'wrong')],
    ['unknown key', basic('nobody', 'sandbox')],
    ['no colon', `Basic ${Buffer.from('sandbox').toString('base64')}`],
    ['not base64', 'Basic ☃'.replace('☃', '%%%')],
    ['Bearer', 'Bearer x'],
  ])('refuses the credentials %s with 401', async (_, header) => {
    const headers = { Authorization: header, 'Content-Type': form };
    const response = await post(headers, 'grant_type=client_credentials');
    expect(response.headers.get('www-authenticate')).toMatch(/^Basic/);
    expect(await refusal(response)).toMatchObject({ status: 401 });
  });
});

describe('the router', () => {
  it.each(['/v2.0//site/', '//v2.0/site', '/v2.0/site/', '/v2.0/site?', '/v2.0/site?unknown=1'])(
    'accepts %s',
    async (path) => {
      const response = await ask(path);
      expect(response.status).toBe(200);
    },
  );

  it.each(['/', '/v2.0', '/v2.0/sites', '/v1.0/site', '/v2.0/Site', '/v2.0/site/1/2/3', '/images/../etc'])(
    'does not know %s',
    async (path) => {
      expect(await refusal(await ask(path))).toMatchObject({ status: 404 });
    },
  );

  it('prefers a fixed path to a parameter', async () => {
    expect((await ask('/v2.0/site/customAttributes')).status).toBe(200);
    expect((await ask('/v2.0/user/uiPreferences')).status).toBe(200);
    expect(await refusal(await ask('/v2.0/site/customattributes'))).toMatchObject({
      status: 400,
      message: expect.stringContaining('siteId'),
    });
  });

  it('refuses other methods with 405 and Allow', async () => {
    const response = await ask('/v2.0/site/customAttributes', { method: 'DELETE' });
    expect(response.headers.get('allow')).toBe('GET, HEAD, POST, OPTIONS');
    expect(await refusal(response)).toMatchObject({ status: 405 });
    expect((await ask('/auth/token')).status).toBe(405);
  });

  it('responds to HEAD without a body and to OPTIONS with Allow', async () => {
    const head = await ask('/v2.0/site', { method: 'HEAD' });
    expect(head.status).toBe(200);
    expect(Number(head.headers.get('content-length'))).toBeGreaterThan(100);
    expect(await head.text()).toBe('');
    const options = await fetch(`${sandbox.url}/v2.0/site`, { method: 'OPTIONS' });
    expect([options.status, options.headers.get('allow')]).toEqual([204, 'GET, HEAD, OPTIONS']);
  });

  it('refuses broken percent encoding', async () => {
    const status = await new Promise((resolve, reject) => {
      const request = httpRequest(`${sandbox.url}/`, { path: '/v2.0/device/%E0%A4%A' }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      request.on('error', reject);
      request.end();
    });
    expect(status).toBe(400);
  });
});

describe('the rate limiter', () => {
  it('counts token requests by Key, right or wrong', async () => {
    const limited = await startSandbox({ siteCount: 1 });
    for (let attempt = 0; attempt < 15; attempt++) {
      await requestToken(limited.url, 'sandbox', attempt % 2 ? 'sandbox' : 'wrong');
    }
    const response = await requestToken(limited.url, 'sandbox', 'sandbox');
    const retryAfter = Number(response.headers.get('retry-after'));
    expect(retryAfter).toBeGreaterThan(890);
    expect(retryAfter).toBeLessThanOrEqual(900);
    expect(await refusal(response)).toMatchObject({ status: 429 });
    expect((await requestToken(limited.url, 'neighbour', 'neighbour')).status).toBe(200);
  });

  it('counts calls by API client and endpoint', async () => {
    const limited = await startSandbox({ siteCount: 1, limits: { calls: 2, windowMs: 60_000 } });
    const mine = await tokenFor(limited.url, 'sandbox', 'sandbox');
    const other = await tokenFor(limited.url, 'neighbour', 'neighbour');
    const get = async (path: string, bearer: string) =>
      (await fetch(limited.url + path, { headers: { Authorization: bearer } })).status;
    expect(await get('/v2.0/site/16801', mine)).toBe(200);
    expect(await get('/v2.0/site/99', mine)).toBe(404);
    expect(await get('/v2.0/site/16801', mine)).toBe(429);
    expect(await get('/v2.0/site', mine)).toBe(200);
    expect(await get('/v2.0/site/16801', other)).toBe(404);
  });
});
