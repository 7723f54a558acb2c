/** Operations that wait while others of their caller execute, and whose credential or document changes meanwhile. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hashDocument } from '../../src/graphql/documents/trustedDocuments.js';
import { defaultOperationLimits } from '../../src/graphql/limits/operationLimits.js';
import type { CallerAuth } from '../../src/http/auth/authenticator.js';
import { type GraphqlBody, startTestGateway, type TestGateway } from '../support/gateway.js';
import { connectSocket, createKeysFile, startIssuer } from '../support/http/callers.js';
import { createRecordingLogger, until } from '../support/http/edgeGateway.js';
import { runningClock } from '../support/runningClock.js';
import { createGate } from '../support/waiting.js';

const QUERY = '{ sites(first: 1) { nodes { id } } }';
const IN_PARTS = '{ sites(first: 1) { nodes { id ... @defer { name } } } }';
const PARTS = 'multipart/mixed;incrementalSpec=v0.2, application/json';
/** Four operations of a caller execute at a time. */
const callerLimits = { operation: { ...defaultOperationLimits, maxCost: 100 } };
const MAX_EXECUTING = 4;
/** The tokens of the issuer are accepted for a minute longer. */
const EXPIRY_SECONDS = 10;
const LATER_MS = 75_000;

const logger = createRecordingLogger();
let offsetMs = 0;
const clock = { now: () => runningClock.now() + offsetMs };
let gate: ReturnType<typeof createGate>;

beforeEach(() => {
  offsetMs = 0;
  gate = createGate();
});
afterEach(() => gate.open());

async function startWith(callerAuth: CallerAuth): Promise<TestGateway> {
  const settings = { callerAuth, callerLimits, clock, logger, metrics: 'open' as const };
  const gateway = await startTestGateway({ sandbox: { siteCount: 1 }, gateway: settings });
  gateway.sandbox.faults.add({ match: 'GET /v2.0/site', until: gate.opened });
  return gateway;
}

async function untilWaiting(gateway: TestGateway, count: number): Promise<void> {
  await until(async () => {
    const page = await (await fetch(`${gateway.url}/metrics`)).text();
    return page.includes(`fieldgraph_operations{state="waiting"} ${count}\n`);
  });
}

/** Each has an execution of its own. */
function executeAll(gateway: TestGateway, headers: Record<string, string>) {
  const own = { 'Cache-Control': 'no-cache', ...headers };
  return Array.from({ length: MAX_EXECUTING }, () => gateway.query(QUERY, {}, own));
}

const outcomeOf = async (pending: ReturnType<TestGateway['query']>) => {
  const { status, body } = await pending;
  return [status, body.errors?.[0]?.extensions.code];
};
const REFUSED = [401, 'UNAUTHENTICATED'];
const EXECUTED = [200, undefined];

describe('an operation that waits', () => {
  it('is refused if its API key is revoked in the meantime, and others of equal rights are executed', async () => {
    const keys = await createKeysFile();
    const [revoked, other] = [await keys.add({ name: 'revoked' }), await keys.add({ name: 'other' })];
    const gateway = await startWith({ kind: 'api-key', file: keys.file });
    const headers = { 'X-API-Key': revoked };
    const executing = executeAll(gateway, headers);
    await until(() => gateway.sandbox.calls.countOf('/v2.0/site') > 0);
    const waiting = [
      gateway.query(QUERY, {}, headers),
      gateway.query(QUERY, {}, headers),
      gateway.query(IN_PARTS, {}, { ...headers, Accept: PARTS }),
    ];
    const socket = connectSocket(gateway.url, { params: headers });
    const onSocket = socket.first(QUERY);
    await untilWaiting(gateway, 3);
    const others = [
      ...executeAll(gateway, { 'X-API-Key': other }),
      gateway.query(QUERY, {}, { 'X-API-Key': other }),
    ];
    await untilWaiting(gateway, 4);
    logger.lines.length = 0;
    await keys.remove('revoked');
    await until(() => logger.lines.some(({ message }) => message === 'API keys read'));
    gate.open();
    for (const pending of waiting) expect(await outcomeOf(pending)).toEqual(REFUSED);
    expect(await onSocket).toMatchObject({ errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] });
    await socket.client.dispose();
    for (const pending of [...executing, ...others]) expect(await outcomeOf(pending)).toEqual(EXECUTED);
  });

  it('is refused if its token expires in the meantime, unlike an equal one with a newer token of the same subject', async () => {
    const issuer = await startIssuer();
    const gateway = await startWith(issuer.settings);
    const exp = Math.floor(clock.now() / 1000) + EXPIRY_SECONDS;
    const sign = async (claims = {}) => ({ Authorization: `Bearer ${await issuer.sign(claims)}` });
    const [expiring, lasting] = [await sign({ exp }), await sign()];
    const executing = executeAll(gateway, lasting);
    await until(() => gateway.sandbox.calls.countOf('/v2.0/site') > 0);
    const waiting = gateway.query(QUERY, {}, expiring);
    await untilWaiting(gateway, 1);
    const equal = gateway.query(QUERY, {}, lasting);
    await untilWaiting(gateway, 2);
    offsetMs = LATER_MS;
    gate.open();
    expect(await outcomeOf(waiting)).toEqual(REFUSED);
    for (const pending of [...executing, equal]) expect(await outcomeOf(pending)).toEqual(EXECUTED);
  });
});

it('an operation that waits with an unknown hash does not execute a document that is registered in the meantime', async () => {
  const keys = await createKeysFile();
  const [waiter, other] = [await keys.add({ name: 'waiter' }), await keys.add({ name: 'other' })];
  const gateway = await startWith({ kind: 'api-key', file: keys.file });
  const query = 'query Many($first: Int!) { devices(first: $first) { nodes { id name } } }';
  const extensions = { persistedQuery: { version: 1, sha256Hash: hashDocument(query) } };
  const send = async (apiKey: string, first: number, text?: string) => {
    const response = await fetch(`${gateway.url}/graphql`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-API-Key': apiKey },
      body: JSON.stringify({ query: text, variables: { first }, extensions }),
    });
    return ((await response.json()) as GraphqlBody<unknown>).errors?.[0]?.extensions.code;
  };
  expect(await send(waiter, 200, query)).toBe('COST_TOO_HIGH');
  const executing = executeAll(gateway, { 'X-API-Key': waiter });
  await until(() => gateway.sandbox.calls.countOf('/v2.0/site') > 0);
  const waiting = send(waiter, 200);
  await untilWaiting(gateway, 1);
  expect(await send(other, 1, query)).toBeUndefined();
  gate.open();
  expect(await waiting).toBe('PERSISTED_QUERY_NOT_FOUND');
  for (const pending of executing) expect(await outcomeOf(pending)).toEqual(EXECUTED);
});
