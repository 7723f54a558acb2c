/** One gateway and its token, over a real platform and without Redis: the requests to the token endpoint. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { silentLogger } from '../../../src/lib/logger.js';
import { TOKEN_PATH } from '../../../src/rest/path.js';
import { createRecordingLogger } from '../../support/http/edgeGateway.js';
import { TOKENS, withFaultGateway } from '../../support/rest/faultGateway.js';
import { createTokenParts } from '../../support/rest/tokenParts.js';
import { createTestClock, startSandbox } from '../../support/sandbox/sandbox.js';
import type { TestSandbox } from '../../support/sandbox/testSandbox.js';

const SITES = '/v2.0/site';
const SITES_QUERY = '{ sites { totalCount } }';
const DEVICES = '/v2.0/device';
const PREFERENCES = '/v2.0/user/uiPreferences';
const ORGANIZATIONS = '/v2.0/account/organization';

describe('a single gateway', () => {
  let sandbox: TestSandbox;
  let parts: ReturnType<typeof createTokenParts>;

  beforeEach(async () => {
    sandbox = await startSandbox();
    parts = createTokenParts({ sandbox, logger: silentLogger });
  });
  afterEach(async () => {
    await parts.close();
    await sandbox.close();
  });

  it('requests no token before the first call, and then one', async () => {
    expect(parts.tokens.status()).toEqual({ remainingMs: null, remainingAttempts: 15 });
    await Promise.all(Array.from({ length: 100 }, () => parts.rest.sites({})));
    expect(sandbox.calls.countOf(TOKEN_PATH)).toBe(1);
    const { remainingMs, remainingAttempts } = parts.tokens.status();
    expect(remainingAttempts).toBe(14);
    expect(remainingMs).toBeGreaterThan(3_500_000);
    expect(remainingMs).toBeLessThan(3_600_000);
  });

  it.each([401, 403] as const)(
    'renews once for a thousand callers whose token is revoked with %i',
    async (status) => {
      await parts.rest.sites({});
      sandbox.revokeTokens(status);
      sandbox.calls.reset();
      const rows = await Promise.all(Array.from({ length: 1000 }, () => parts.rest.sites({})));
      expect(rows.every((sites) => sites.length > 0)).toBe(true);
      expect(sandbox.calls.countOf(TOKEN_PATH)).toBe(1);
      expect(sandbox.calls.countOf(SITES)).toBeLessThanOrEqual(2000);
    },
  );

  it.each([401, 403] as const)(
    'renews once for each revocation with %i, also for the second within a minute',
    async (status) => {
      await parts.rest.sites({});
      for (const renewals of [1, 2, 3]) {
        sandbox.revokeTokens(status);
        expect((await parts.rest.sites({})).length).toBeGreaterThan(0);
        expect((await parts.rest.devices({})).length).toBeGreaterThan(0);
        expect(sandbox.calls.countOf(TOKEN_PATH)).toBe(1 + renewals);
      }
    },
  );

  it('spends one token on an endpoint that always responds with 401', async () => {
    sandbox.faults.add({ match: DEVICES, status: 401 });
    for (let round = 0; round < 20; round++) {
      await expect(parts.rest.devices({})).rejects.toMatchObject({ code: 'PLATFORM_UNAUTHORIZED' });
      await parts.rest.sites({});
    }
    expect(sandbox.calls.countOf(TOKEN_PATH)).toBe(2);
    expect(sandbox.calls.countOf(DEVICES)).toBe(21);
  });

  it('spends no token on such an endpoint after a final period, but one probe', async () => {
    const clock = createTestClock();
    const other = createTokenParts({ sandbox, logger: silentLogger, clock });
    const mend = sandbox.faults.add({ match: DEVICES, status: 401 });
    const refused = { code: 'PLATFORM_UNAUTHORIZED' };
    await expect(other.rest.devices({})).rejects.toMatchObject(refused);
    const periodsSeconds = [60, 120, 240, 480, 900];
    for (const seconds of periodsSeconds) {
      clock.advance(seconds * 1000);
      for (let round = 0; round < 3; round++)
        await expect(other.rest.devices({})).rejects.toMatchObject(refused);
    }
    expect(sandbox.calls.countOf(TOKEN_PATH)).toBe(2);
    expect(sandbox.calls.countOf(PREFERENCES)).toBe(periodsSeconds.length);
    mend();
    clock.advance(900_000);
    sandbox.revokeTokens(401);
    expect((await other.rest.devices({})).length).toBeGreaterThan(0);
    expect(sandbox.calls.countOf(TOKEN_PATH)).toBe(3);
    await other.close();
  });

  it('spends one token on such an endpoint also if the platform issues the same token again', async () => {
    const body = JSON.stringify({ access_token: await parts.tokens.get(), expires_in: 3600 });
    sandbox.faults.add({ match: TOKEN_PATH, body });
    sandbox.faults.add({ match: DEVICES, status: 401 });
    for (let round = 0; round < 20; round++) {
      await expect(parts.rest.devices({})).rejects.toMatchObject({ code: 'PLATFORM_UNAUTHORIZED' });
      await parts.rest.sites({});
    }
    expect(sandbox.calls.countOf(TOKEN_PATH)).toBe(2);
    expect(sandbox.calls.countOf(DEVICES)).toBe(20);
  });

  it('spends no token on endpoints that are forbidden, and one probe of another endpoint and one repeat on each', async () => {
    const forbidden = [DEVICES, '/v2.0/channel', '/v2.0/stream', '/v2.0/user', ORGANIZATIONS];
    for (const match of forbidden) sandbox.faults.add({ match, status: 403 });
    const { devices, channels, streams, users, organizations } = parts.rest;
    for (let round = 0; round < 5; round++) {
      for (const ask of [devices, channels, streams, users, organizations]) {
        await expect(ask({})).rejects.toMatchObject({ platform: { status: 403 } });
      }
      await parts.rest.sites({});
    }
    expect(sandbox.calls.countOf(TOKEN_PATH)).toBe(1);
    expect(sandbox.calls.countOf(PREFERENCES)).toBe(forbidden.length);
    expect(forbidden.map((place) => sandbox.calls.countOf(place))).toEqual(forbidden.map(() => 6));
  });

  it.each([
    [1, [PREFERENCES]],
    [2, [PREFERENCES, ORGANIZATIONS]],
  ])(
    'spends no token on endpoints that are forbidden if the first probes (%i) are also forbidden',
    async (_, probes) => {
      const forbidden = [DEVICES, '/v2.0/channel', '/v2.0/stream', '/v2.0/user'];
      for (const match of [...probes, ...forbidden]) sandbox.faults.add({ match, status: 403 });
      const { devices, channels, streams, users } = parts.rest;
      for (let round = 0; round < 3; round++) {
        for (const ask of [devices, channels, streams, users]) {
          await expect(ask({})).rejects.toMatchObject({ platform: { status: 403 } });
        }
      }
      expect(sandbox.calls.countOf(TOKEN_PATH)).toBe(1);
      sandbox.revokeTokens(403);
      expect((await parts.rest.sites({})).length).toBeGreaterThan(0);
      expect(sandbox.calls.countOf(TOKEN_PATH)).toBe(2);
    },
  );

  it('renews the token after a 401 from a forbidden endpoint', async () => {
    const permit = sandbox.faults.add({ match: DEVICES, status: 403 });
    await expect(parts.rest.devices({})).rejects.toMatchObject({ platform: { status: 403 } });
    permit();
    sandbox.revokeTokens(401);
    expect((await parts.rest.devices({})).length).toBeGreaterThan(0);
    expect(sandbox.calls.countOf(TOKEN_PATH)).toBe(2);
  });

  it('renews the token after a 403 where the probe gets 403', async () => {
    await parts.rest.sites({});
    sandbox.faults.add({ match: PREFERENCES, status: 403 });
    sandbox.revokeTokens(403);
    sandbox.calls.reset();
    expect((await parts.rest.sites({})).length).toBeGreaterThan(0);
    expect(sandbox.calls.countOf(TOKEN_PATH)).toBe(1);
  });

  it('renews the token after a 403 as soon as the probe does not fail', async () => {
    await parts.rest.sites({});
    const mend = sandbox.faults.add({ match: PREFERENCES, status: 500 });
    sandbox.revokeTokens(403);
    sandbox.calls.reset();
    await expect(parts.rest.sites({})).rejects.toMatchObject({ platform: { status: 403 } });
    expect(sandbox.calls.countOf(TOKEN_PATH)).toBe(0);
    mend();
    expect((await parts.rest.sites({})).length).toBeGreaterThan(0);
    expect(sandbox.calls.countOf(TOKEN_PATH)).toBe(1);
  });

  it('sends wrong credentials at most twice in as many seconds', async () => {
    const wrong = createTokenParts({ sandbox, logger: silentLogger, secret: 'wrong' });
    for (let round = 0; round < 100; round++) {
      const error = await wrong.rest.sites({}).catch((reason: unknown) => reason);
      expect(error).toMatchObject({ code: 'PLATFORM_UNAUTHORIZED', platform: { status: 401 } });
      expect((error as { retryAfterMs: number }).retryAfterMs).toBeGreaterThan(0);
    }
    expect(sandbox.calls.countOf(TOKEN_PATH)).toBeLessThanOrEqual(2);
    await wrong.close();
  });

  it('requests a limited endpoint once, and reports how long the limit lasts', async () => {
    await parts.rest.sites({});
    sandbox.revokeTokens();
    sandbox.faults.add({ match: TOKEN_PATH, status: 429, retryAfter: 300 });
    sandbox.calls.reset();
    for (let round = 0; round < 5; round++) {
      const error = await parts.rest.sites({}).catch((reason: unknown) => reason);
      expect(error).toMatchObject({ code: 'PLATFORM_RATE_LIMITED', retryable: true });
      expect((error as { retryAfterMs: number }).retryAfterMs).toBeGreaterThan(200_000);
    }
    expect(sandbox.calls.countOf(TOKEN_PATH)).toBe(1);
  });

  const long = JSON.stringify({ access_token: 'a'.repeat(16_385) });
  const unusable = ['', '<html>', '{}', '{"access_token":7}', '{"access_token":"a\\nb"}', '[]', long];
  it.each(unusable.map((body) => [body.slice(0, 40), body]))(
    'refuses %j as a token, and logs no part of it',
    async (_, body) => {
      const logger = createRecordingLogger();
      const other = createTokenParts({ sandbox, logger });
      sandbox.faults.add({ match: TOKEN_PATH, body, times: 1 });
      await expect(other.rest.sites({})).rejects.toMatchObject({ code: 'PLATFORM_BAD_RESPONSE' });
      expect(logger.lines).toEqual([
        {
          level: 'warn',
          fields: {
            code: 'PLATFORM_BAD_RESPONSE',
            cooldownMs: 1000,
            remainingAttempts: 14,
            failures: 1,
            platform: undefined,
            cause: undefined,
          },
          message: 'Token request failed',
        },
      ]);
      await other.close();
    },
  );

  it.each([0, -1, '3600', 'soon', null])('requests one token where `expires_in` is %j', async (expiresIn) => {
    const token = await parts.tokens.get();
    const other = createTokenParts({ sandbox, logger: silentLogger });
    sandbox.faults.add({
      match: TOKEN_PATH,
      body: JSON.stringify({ access_token: token, expires_in: expiresIn }),
    });
    for (let round = 0; round < 10; round++) expect(await other.rest.sites({})).not.toHaveLength(0);
    expect(sandbox.calls.countOf(TOKEN_PATH)).toBe(2);
    await other.close();
  });
});

describe('the log', () => {
  it('has failures of the token with the id of the platform, their recovery, and whole milliseconds', async () => {
    await withFaultGateway({}, async ({ sandbox, clock, lines, ask }) => {
      clock.skip(0.3);
      const mend = sandbox.faults.add({ match: TOKENS, status: 503 });
      await ask(SITES_QUERY);
      mend();
      clock.skip(1000.5);
      sandbox.faults.add({ match: `GET ${SITES}`, status: 429, retryAfter: 60, times: 1 });
      await ask(SITES_QUERY);
      const platform = { status: 503, requestId: expect.any(String) };
      expect(lines.find(({ message }) => message === 'Token request failed')).toMatchObject({
        level: 'warn',
        fields: { platform, failures: 1, cooldownMs: 1000 },
      });
      expect(lines.find(({ message }) => message === 'Token request succeeded after failures')).toEqual({
        level: 'info',
        fields: { remainingAttempts: 13, failures: 1 },
        message: 'Token request succeeded after failures',
      });
      const { fields } = lines.find(({ message }) => message === 'Rate limited by the platform') ?? {};
      expect(fields).toMatchObject({ pauseMs: expect.any(Number) });
      expect(Number.isInteger((fields as { pauseMs: number }).pauseMs)).toBe(true);
    });
  });
});
