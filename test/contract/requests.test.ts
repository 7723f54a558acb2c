/** How the REST API takes requests: authorization, spellings, parameters, bodies, and the shape of refusals. */
import { request as httpRequest } from 'node:http';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../src/sandbox/sandbox.js';
import { basic, requestToken, startSandbox, tokenFor } from '../support/sandbox.js';

let sandbox: Sandbox;
let token: string;

beforeAll(async () => {
  sandbox = await startSandbox({ limits: { tokenRequests: 1000 } });
  token = await tokenFor(sandbox.url, 'sandbox', 'sandbox');
});

function ask(path: string, init: RequestInit = {}): Promise<Response> {
  const headers = { Authorization: `Bearer ${token}`, ...init.headers };
  return fetch(sandbox.url + path, { ...init, headers });
}

async function refusal(response: Response) {
  const body = (await response.json()) as { message: string; request_id: string };
  expect(Object.keys(body)).toEqual(['message', 'request_id']);
  expect(body.request_id).not.toBe('');
  expect(response.headers.get('content-type')).toBe('application/json');
  return { status: response.status, message: body.message };
}

describe('authorization', () => {
  it.each([
    ['Bearer', (value: string) => `Bearer ${value}`],
    ['bearer', (value: string) => `bearer ${value}`],
    ['no scheme', (value: string) => value],
  ])('takes a token with %s', async (_, header) => {
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

  it('refuses a token of another service, and one whose algorithm is none', async () => {
    const [header, payload] = token.split('.');
    const none = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url');
    for (const forged of [`${header}.${payload}.AAAA`, `${none}.${payload}.`]) {
      expect((await ask('/v2.0/site', { headers: { Authorization: `Bearer ${forged}` } })).status).toBe(401);
    }
  });

  it('serves document and pictures without a token', async () => {
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
  ])('takes %s', async (type, body) => {
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

describe('paths and methods', () => {
  it.each(['/v2.0//site/', '//v2.0/site', '/v2.0/site/', '/v2.0/site?', '/v2.0/site?unknown=1'])(
    'takes %s',
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

  it('finds the fixed path before the parameter', async () => {
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

  it('answers HEAD without a body and OPTIONS with Allow', async () => {
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

describe('parameters', () => {
  const range = '/v2.0/stream/88001/sample/range?fromDate=1700000000&toDate=1800000000';

  it.each([
    ['/v2.0/site/abc', 'siteId'],
    ['/v2.0/site/0', 'siteId'],
    ['/v2.0/site/-1', 'siteId'],
    ['/v2.0/site/1.5', 'siteId'],
    ['/v2.0/site/9223372036854775808', 'siteId'],
    ['/v2.0/site/%F0%9F%A6%86', 'siteId'],
    ['/v2.0/device/id/x', 'deviceId'],
    [`/v2.0/device/${'x'.repeat(300)}`, 'serialNumber'],
    ['/v2.0/stream/88001/sample?lastSampleId=x', 'lastSampleId'],
    ['/v2.0/stream/88001/sample/range?fromDate=1700000000', 'toDate'],
    ['/v2.0/stream/88001/sample/range?fromDate=&toDate=1700000000', 'fromDate'],
    ['/v2.0/stream/88001/sample/range?fromDate=946688460&toDate=1700000000', 'fromDate'],
    ['/v2.0/stream/88001/sample/range?fromDate=1800000000&toDate=1700000000', 'fromDate'],
    ['/v2.0/stream/88001/sample/range?fromDate=2020-01-01T00:00:00Z&toDate=1700000000', 'fromDate'],
    [`${range}&limit=0`, 'limit'],
    [`${range}&limit=10001`, 'limit'],
    [`${range}&offset=0`, 'offset'],
    ['/v2.0/stream/88001/sample/agg?timeFrame=5&fromDate=1700000000&toDate=1800000000', 'timeFrame'],
    ['/v2.0/stream/88001/sample/agg?fromDate=1700000000&toDate=1800000000', 'timeFrame'],
    ['/v2.0/stream/88001/sample/batch', 'sampleDate'],
    ['/v2.0/sample/batch?enableAck=perhaps', 'enableAck'],
    ['/v2.0/sample/batch?sampleID=-3', 'sampleID'],
    ['/v2.0/sample/batch?backfillHours=1e3', 'backfillHours'],
    ['/v2.0/sample/image/id/x', 'imageId'],
  ])('refuses %s, naming %s', async (path, name) => {
    const { status, message } = await refusal(await ask(path));
    expect(status).toBe(400);
    expect(message).toContain(name);
  });

  it.each([
    ['/v2.0/sample/batch/ack', 'sampleId'],
    ['/v2.0/sample/batch/ack?sample_id=5', 'sampleId'],
    ['/v2.0/sample/batch/backfill?sample_date=1700000000', 'sampleDate'],
    ['/v2.0/sample/rfid/batch/ack?sampleId=5', 'sample_id'],
    ['/v2.0/sample/rfid/batch/backfill?sampleDate=1700000000', 'sample_date'],
  ])('holds POST %s to its own spelling, %s', async (path, name) => {
    const { status, message } = await refusal(await ask(path, { method: 'POST' }));
    expect(status).toBe(400);
    expect(message).toContain(name);
  });

  it.each(['/v2.0/site/9223372036854775807', '/v2.0/stream/1/sample/last', '/v2.0/device/nobody'])(
    'does not know %s',
    async (path) => {
      expect(await refusal(await ask(path))).toMatchObject({ status: 404 });
    },
  );

  it.each(['True', 'False', 'true', 'FALSE', '1', '0', ''])('takes enableAck=%s', async (value) => {
    expect((await ask(`/v2.0/sample/rfid/batch?enableAck=${value}`)).status).toBe(200);
  });

  it('ignores parameters it does not know', async () => {
    expect((await ask('/v2.0/stream/88001/sample?fromDate=0&toDate=x')).status).toBe(200);
  });
});

describe('bodies', () => {
  const path = '/v2.0/site/customAttributes';

  it.each([
    ['', 'JSON'],
    ['{', 'JSON'],
    ['null', 'attributes'],
    ['[]', 'attributes'],
    ['{"attributes":{}}', 'attributes'],
    ['{"attributes":[1]}', 'attributes[0]'],
    ['{"attributes":[{"id":"501","parent_id":16801,"value":"x"}]}', 'attributes[0].id'],
    ['{"attributes":[{"id":501,"parent_id":0,"value":"x"}]}', 'attributes[0].parent_id'],
    ['{"attributes":[{"id":501,"parent_id":16801,"value":5}]}', 'attributes[0].value'],
    [`{"attributes":[{"id":501,"parent_id":16801,"value":"${'x'.repeat(257)}"}]}`, 'attributes[0].value'],
  ])('refuses %.60s', async (body, name) => {
    const { status, message } = await refusal(await ask(path, { method: 'POST', body }));
    expect(status).toBe(400);
    expect(message).toContain(name);
  });

  it('refuses more than a mebibyte', async () => {
    const response = await ask(path, { method: 'POST', body: 'x'.repeat(1_100_000) });
    expect(await refusal(response)).toMatchObject({ status: 413 });
  });

  it('writes all values or none', async () => {
    const before = await (await ask(path)).text();
    const good = { id: 501, parent_id: 16801, value: 'must not stay' };
    for (const [bad, name] of [
      [{ ...good, id: 99 }, 'attributes[1].id'],
      [{ ...good, id: 503 }, 'attributes[1].id'], // a stream's attribute
      [{ ...good, parent_id: 99 }, 'attributes[1].parent_id'],
    ] as const) {
      const body = JSON.stringify({ attributes: [good, bad] });
      const { status, message } = await refusal(await ask(path, { method: 'POST', body }));
      expect(status).toBe(404);
      expect(message).toContain(name);
    }
    expect(await (await ask(path)).text()).toBe(before);
  });

  it.each([
    [{}, 'levels'],
    [{ levels: [{}] }, 'levels[0].display_name'],
    [{ levels: [{ display_name: 'x'.repeat(257) }] }, 'levels[0].display_name'],
    [{ levels: [{ display_name: 'a' }, { display_name: 'b' }] }, 'levels[0].upper_limit'],
    [level({ upper_limit: 5 }, { upper_limit: 5 }), 'levels[1].upper_limit'],
    [level({ upper_limit: '5' }), 'levels[0].upper_limit'],
    [level({ sample_interval: 29 }), 'levels[0].sample_interval'],
    [level({ false_alarm_filter: 4294967296 }), 'levels[0].false_alarm_filter'],
    [level({ transmission_interval: 'often' }), 'levels[0].transmission_interval'],
    [level({ transmit_immediately: 'yes' }), 'levels[0].transmit_immediately'],
    [level({ notification_actions: [{ type: 'fax' }] }), 'levels[0].notification_actions[0].type'],
    [
      level({ output_actions: [{ type: 'set_up', channel_num: 16 }] }),
      'levels[0].output_actions[0].channel_num',
    ],
    [
      level({ sample_actions: [{ type: 'single', stream_id: 88001, sample_group_id: 2 }] }),
      'sample_group_id',
    ],
    [level({ sample_actions: [{ type: 'single', stream_id: 4 }] }), 'sample_actions'],
  ])('refuses the threshold %j', async (body, name) => {
    const init = { method: 'POST', body: JSON.stringify(body) };
    const { status, message } = await refusal(await ask('/v2.0/stream/88001/threshold', init));
    expect(status).toBe(400);
    expect(message).toContain(name);
  });

  it('fills in what a level leaves out', async () => {
    const body = JSON.stringify(level({ upper_limit: 2, comment: 'ä' }, { lower_limit: 99 }));
    expect((await ask('/v2.0/stream/88001/threshold', { method: 'POST', body })).status).toBe(204);
    const defaults = {
      false_alarm_filter: 0,
      sample_interval: 300,
      transmission_interval: 'normal',
      transmit_immediately: false,
    };
    expect(await (await ask('/v2.0/stream/88001/threshold')).json()).toEqual({
      levels: [
        { display_name: 'Level 0', upper_limit: 2, comment: 'ä', ...defaults },
        { display_name: 'Level 1', lower_limit: 2, ...defaults },
      ],
    });
  });

  function level(...levels: object[]) {
    return { levels: levels.map((one, index) => ({ display_name: `Level ${index}`, ...one })) };
  }
});

describe('limits', () => {
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
