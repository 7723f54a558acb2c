/** The rows of a token endpoint that fails, delays or sends invalid responses, and of tokens that end early. */
import { expect } from 'vitest';
import { expectFailure, KEY, SECRET, TOKENS, withFaultGateway } from '../../support/rest/faultGateway.js';
import { requestToken } from '../../support/sandbox/sandbox.js';
import type { Fault } from '../../support/sandbox/testSandbox.js';
import { expectReturnTo, holdings } from './resources.js';
import { type Failure, type Scenario, toWords } from './row.js';

const SITES = '{ sites { totalCount } }';
const USERS = '{ users { totalCount } }';
const NESTED = '{ devices(first: 1) { nodes { name lastLog { message } } } }';
const LAST_LOG = '/v2.0/device/{deviceId}/lastLog';
const SEVEN_MINUTES = 420_000;

interface TokenFailure {
  fault: string;
  faults: readonly Fault[];
  sees: Failure;
  /** A refusal is a definite response: no stale one replaces it. */
  isRefusal?: boolean;
  /** No process requests a token before this time. */
  pauseMs: number;
}

/** Tokens live five minutes here: when a response is past its time to live, so is the token. */
async function fails(fault: Fault, { sees, pauseMs, isRefusal }: TokenFailure): Promise<void> {
  await withFaultGateway({ sandbox: { tokenLifetimeSeconds: 300 } }, async ({ sandbox, clock, ask }) => {
    const sites = await ask(SITES);
    const before = holdings();
    clock.skip(SEVEN_MINUTES);
    const mend = sandbox.faults.add({ ...fault, match: TOKENS });
    sandbox.calls.reset();
    for (let caller = 0; caller < 10; caller++) expectFailure(await ask(USERS), sees);
    if (isRefusal) expectFailure(await ask(SITES), sees);
    else expect(await ask(SITES)).toEqual(sites);
    expect([sandbox.calls.countOf(TOKENS), sandbox.calls.total()]).toEqual([1, 1]);
    mend();
    const nearlyAllMs = 0.9 * pauseMs;
    clock.skip(nearlyAllMs);
    expectFailure(await ask(USERS), sees);
    expect(sandbox.calls.total()).toBe(1);
    clock.skip(pauseMs - nearlyAllMs);
    expect((await ask(USERS)).errors).toBeUndefined();
    expect([sandbox.calls.countOf(TOKENS), sandbox.calls.total()]).toEqual([2, 3]);
    await expectReturnTo(before);
  });
}

function toScenario(row: TokenFailure): Scenario {
  const seconds = row.pauseMs / 1000;
  return {
    fault: row.fault,
    sees: row.isRefusal ? toWords(row.sees) : `${toWords(row.sees)}; ${toWords('stale')}`,
    calls: `0 and 1 token request, the next one ${seconds} s later`,
    back: `after ${seconds} s`,
    async run() {
      for (const fault of row.faults) await fails(fault, row);
    },
  };
}

const unavailable: Failure = { code: 'PLATFORM_UNAVAILABLE', retryable: true, retryAfterMs: 1000 };

const failures: readonly TokenFailure[] = [
  {
    fault: 'The token endpoint fails: status 500, 503, a connection reset',
    faults: [{ status: 500 }, { status: 503 }, { destroySocket: true }],
    sees: unavailable,
    pauseMs: 1000,
  },
  {
    fault: 'The token endpoint refuses the credential: status 401, 403',
    faults: [{ status: 401 }, { status: 403 }],
    sees: { code: 'PLATFORM_UNAUTHORIZED', retryable: false, retryAfterMs: 1000 },
    isRefusal: true,
    pauseMs: 1000,
  },
  {
    fault: 'The token endpoint responds with HTML, an empty body, no token, or an invalid token',
    faults: [
      { body: '<html>' },
      { body: '' },
      { status: 204 },
      { body: '{}' },
      { body: '{"access_token":7}' },
      { body: '{"access_token":"two\\nlines"}' },
    ],
    sees: { code: 'PLATFORM_BAD_RESPONSE', retryable: false, retryAfterMs: 1000 },
    pauseMs: 1000,
  },
  {
    fault: 'The token endpoint is rate limited: status 429 with `Retry-After: 600`',
    faults: [{ status: 429, retryAfter: 600 }],
    sees: { code: 'PLATFORM_RATE_LIMITED', retryable: true, retryAfterMs: 600_000 },
    pauseMs: 600_000,
  },
  {
    fault: 'The token endpoint is rate limited: status 429 without `Retry-After`',
    faults: [{ status: 429 }],
    sees: { code: 'PLATFORM_RATE_LIMITED', retryable: true, retryAfterMs: 60_000 },
    pauseMs: 60_000,
  },
];

async function isSlow(): Promise<void> {
  await withFaultGateway({}, async ({ sandbox, ask }) => {
    const before = holdings();
    sandbox.faults.add({ match: TOKENS, latencyMs: 1000 });
    const results = await Promise.all(Array.from({ length: 20 }, () => ask(SITES)));
    for (const { data } of results) expect(data).toEqual({ sites: { totalCount: 3 } });
    expect([sandbox.calls.countOf(TOKENS), sandbox.calls.total()]).toEqual([1, 2]);
    // The connection that calls now share is new.
    await expectReturnTo({ ...before, sockets: before.sockets + 1 });
  });
}

/** The token life in seconds that the gateway uses for this `expires_in`. */
async function livesAsLongAs(expiresIn: unknown): Promise<number> {
  let seconds = Number.NaN;
  await withFaultGateway({}, async ({ sandbox, clock, ask }) => {
    const response = await requestToken(sandbox.url, KEY, SECRET);
    const { access_token } = (await response.json()) as { access_token: string };
    sandbox.calls.reset();
    sandbox.faults.add({ match: TOKENS, body: JSON.stringify({ access_token, expires_in: expiresIn }) });
    const headers = { 'Cache-Control': 'no-cache', 'X-Explain': '1' };
    for (let call = 0; call < 30; call++) {
      const { data, extensions } = await ask(SITES, { headers });
      expect(data).toEqual({ sites: { totalCount: 3 } });
      if (call === 0) seconds = Math.ceil((extensions?.explain.token.remainingMilliseconds ?? 0) / 1000);
      clock.skip(1000);
    }
    expect([sandbox.calls.countOf('/v2.0/site'), sandbox.calls.countOf(TOKENS)]).toEqual([30, 1]);
  });
  return seconds;
}

/** A token is not used in the last half minute of its life. */
const USUAL_SECONDS = 3570;

async function endsInTheMiddle(status: 401 | 403): Promise<void> {
  await withFaultGateway({}, async ({ sandbox, clock, ask }) => {
    const sound = await ask(NESTED);
    const before = holdings();
    clock.skip(7_200_000);
    sandbox.calls.reset();
    const endToken = () => {
      sandbox.revokeTokens(status);
      return false;
    };
    const isFirst = () => sandbox.calls.countOf(LAST_LOG) === 1;
    sandbox.faults.add({ match: ({ pathTemplate }) => pathTemplate === LAST_LOG && isFirst() && endToken() });
    expect(await ask(NESTED)).toEqual(sound);
    expect(sandbox.calls.countOf('/v2.0/device')).toBe(1);
    expect([sandbox.calls.countOf(LAST_LOG), sandbox.calls.countOf(TOKENS)]).toEqual([2, 1]);
    await expectReturnTo(before);
  });
}

export const tokenRows: readonly Scenario[] = [
  ...failures.map(toScenario),
  {
    fault: 'The token endpoint is slow',
    sees: 'the response, later',
    calls: '1 and 1 token request, for any number of callers',
    back: 'at once',
    run: isSlow,
  },
  {
    fault: 'An `expires_in` of 0 or -1, or one that is not a number',
    sees: 'the response',
    calls: '1 and 1 token request; the token is used for an hour',
    back: 'at once',
    async run() {
      for (const expiresIn of [0, -1, 'soon', null]) {
        expect([expiresIn, await livesAsLongAs(expiresIn)]).toEqual([expiresIn, USUAL_SECONDS]);
      }
    },
  },
  {
    fault: 'An `expires_in` of `"3600"`, a string',
    sees: 'the response',
    calls: '1 and 1 token request; the string is read as a number',
    back: 'at once',
    async run() {
      expect(await livesAsLongAs('3600')).toBe(USUAL_SECONDS);
      expect(await livesAsLongAs('7200')).toBe(USUAL_SECONDS + 3600);
    },
  },
  {
    fault: 'The token is revoked during a nested query',
    sees: 'the response',
    calls: '2 to the endpoint that refused the token, 1 to the others, and 1 token request',
    back: 'at once',
    async run() {
      await endsInTheMiddle(401);
      await endsInTheMiddle(403);
    },
  },
];
