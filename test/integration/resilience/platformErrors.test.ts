/** The error of a failed REST call: its code, when to retry, the request ids, and no internal details. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startStillGateway, type TestGateway } from '../../support/gateway.js';

let gateway: TestGateway;

beforeEach(async () => {
  gateway = await startStillGateway({ sandbox: { siteCount: 3 } });
});

afterEach(() => gateway.stop());

describe('the error', () => {
  it('contains retryAfter where the platform sends it', async () => {
    gateway.sandbox.faults.add({ match: 'GET /v2.0/site', status: 429, retryAfter: 7 });
    const { body } = await gateway.query('{ sites { totalCount } devices { totalCount } }');
    expect(body.data).toMatchObject({ sites: null, devices: { totalCount: expect.any(Number) } });
    expect(body.errors?.[0]?.extensions).toMatchObject({
      ...{ code: 'PLATFORM_RATE_LIMITED', retryable: true, retryAfterMs: 7000 },
      platform: { status: 429 },
    });
  });

  it('of a response that is not JSON quotes nothing of it', async () => {
    gateway.sandbox.faults.add({ match: 'GET /v2.0/site', body: '<html>secret-host.internal</html>' });
    const { body } = await gateway.query('{ sites { totalCount } }');
    expect(body.errors?.[0]?.extensions).toMatchObject({ code: 'PLATFORM_BAD_RESPONSE', retryable: false });
    expect(JSON.stringify(body)).not.toContain('secret-host');
  });

  it.each([1, 2000])('of a list of %i rows without ids is not an empty list', async (count) => {
    const rows = Array.from({ length: count }, () => ({ display_name: 'A site' }));
    gateway.sandbox.faults.add({ match: 'GET /v2.0/site', body: JSON.stringify(rows) });
    const { body } = await gateway.query('{ sites { totalCount } }');
    const message = 'The platform answered /v2.0/site with only rows without their required fields.';
    const extensions = { code: 'PLATFORM_BAD_RESPONSE', retryable: false };
    expect(body).toMatchObject({ data: { sites: null }, errors: [{ message, extensions }] });
  });

  it('of a broken connection contains no address', async () => {
    gateway.sandbox.faults.add({ match: 'GET /v2.0/site', destroySocket: true });
    const { body } = await gateway.query('{ sites { totalCount } }');
    expect(body.errors?.[0]?.extensions).toMatchObject({ code: 'PLATFORM_UNAVAILABLE', retryable: true });
    expect(JSON.stringify(body.errors)).not.toMatch(/127\.0\.0\.1|ECONN|http:/);
  });

  it('of two requests carries two request ids', async () => {
    gateway.sandbox.faults.add({ match: 'GET /v2.0/site', status: 500 });
    const answers = await Promise.all([1, 2].map(() => gateway.query('{ sites { totalCount } }')));
    const ids = answers.map(({ body }) => body.errors?.[0]?.extensions.requestId);
    expect(new Set(ids).size).toBe(2);
  });
});
