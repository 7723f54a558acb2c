/** The log lines about refusals: who was refused, and why, on every transport. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { defaultOperationLimits } from '../../../src/graphql/limits/operationLimits.js';
import { startTestGateway, type TestGateway } from '../../support/gateway.js';
import { type Claims, connectSocket, createKeysFile, startIssuer } from '../../support/http/callers.js';
import { createRecordingLogger } from '../../support/http/edgeGateway.js';
import { openSocket } from '../../support/http/socket.js';
import { runningClock } from '../../support/runningClock.js';
import { WAIT } from '../../support/waiting.js';

const logger = createRecordingLogger();
beforeEach(() => {
  logger.lines.length = 0;
});

const linesWith = (level: string) =>
  logger.lines.filter((line) => line.level === level && line.message === 'Operation refused');
const refusals = () => linesWith('info').map(({ fields }) => fields);

const QUERY = 'query Fleet { sites { totalCount } }';
const EXPENSIVE = 'query Report { sites { nodes { streams { nodes { name } } } } }';
const operation = { ...defaultOperationLimits, maxCost: 50 };

describe('a refused operation', async () => {
  const keys = await createKeysFile();
  const key = await keys.add({ name: 'dashboard' });
  const settings = {
    logger,
    callerAuth: { kind: 'api-key' as const, file: keys.file },
    callerLimits: { operation, rate: { perSecond: 0.001, burst: 12 } },
  };
  const start = () => startTestGateway({ sandbox: { siteCount: 1 }, gateway: settings });
  const callerKey = key.slice(3, 19);
  const expensive = {
    caller: 'dashboard',
    callerKey,
    operation: 'Report',
    code: 'COST_TOO_HIGH',
    reason: expect.stringContaining('The limit is 50.'),
  };

  it('leaves lines with its caller and code, which do not hide those of others', async () => {
    const gateway = await start();
    const headers = { 'X-API-Key': key, 'X-Request-Id': 'r1', 'apollographql-client-name': 'web' };
    expect((await gateway.query(EXPENSIVE, {}, headers)).status).toBe(400);
    expect(refusals()).toEqual([
      expect.objectContaining({ ...expensive, requestId: 'r1', transport: 'http', client: 'web' }),
    ]);
    for (let times = 0; times < 5; times++) await gateway.query(EXPENSIVE, {}, headers);
    expect(refusals().filter((line) => 'operation' in line && line.operation === 'Report')).toHaveLength(2);
    const limited = { caller: 'dashboard', callerKey, code: 'RATE_LIMITED' };
    expect(refusals().slice(2)).toEqual(Array(3).fill(expect.objectContaining(limited)));
    await gateway.query(QUERY, {}, { 'X-API-Key': 'fg_wrong' });
    expect(refusals().slice(5)).toMatchObject([
      { code: 'UNAUTHENTICATED', address: '127.0.0.1', reason: 'The API key is not valid.' },
    ]);
    expect(JSON.stringify(logger.lines)).not.toContain('fg_wrong');
  });

  it('leaves a line over a websocket and a stream', async () => {
    const gateway = await start();
    const socket = connectSocket(gateway.url, { params: { 'X-API-Key': key } });
    await socket.first(EXPENSIVE).catch(() => undefined);
    await socket.client.dispose();
    const accept = { 'X-API-Key': key, Accept: 'text/event-stream' };
    const address = `${gateway.url}/graphql?query=${encodeURIComponent(EXPENSIVE)}`;
    const response = await fetch(address, { headers: accept });
    expect(await response.text()).toContain('COST_TOO_HIGH');
    expect(refusals()).toMatchObject([
      { ...expensive, transport: 'websocket' },
      { ...expensive, transport: 'stream' },
    ]);
  });

  it('leaves a line with the caller of a websocket that ends because of a limit', async () => {
    const callerLimits = { maxCallerBytes: 1_048_576 };
    const gateway = await startTestGateway({ gateway: { ...settings, callerLimits } });
    const opened = await Promise.all([1, 2, 3].map(() => openSocket(gateway.url)));
    for (const raw of opened) raw.send({ type: 'connection_init', payload: { 'X-API-Key': key } });
    for (const raw of opened) await raw.take('connection_ack');
    // Each message is charged twice its bytes, so that two fit.
    for (const { socket } of opened) socket.send(' '.repeat(200_000), { fin: false });
    const line = { transport: 'websocket', caller: 'dashboard', callerKey, code: 'RATE_LIMITED' };
    await vi.waitFor(() => expect(refusals()).toMatchObject([line]), WAIT);
  });

  it('leaves a line of level debug if it has no credential', async () => {
    const gateway = await start();
    await gateway.query(QUERY);
    await connectSocket(gateway.url)
      .first(QUERY)
      .catch(() => undefined);
    expect(refusals()).toEqual([]);
    expect(linesWith('debug').map(({ fields }) => fields)).toMatchObject([
      { transport: 'http', address: '127.0.0.1', code: 'UNAUTHENTICATED' },
      { transport: 'websocket', address: '127.0.0.1', code: 'UNAUTHENTICATED' },
    ]);
  });
});

describe('a refused token', async () => {
  const issuer = await startIssuer();
  let gateway: TestGateway;
  const expired = Math.floor(runningClock.now() / 1000) - 3600;

  it.each<[string, Claims, object]>([
    ['another audience', { aud: 'other' }, { cause: 'ERR_JWT_CLAIM_VALIDATION_FAILED', claim: 'aud' }],
    ['another issuer', { iss: 'other' }, { cause: 'ERR_JWT_CLAIM_VALIDATION_FAILED', claim: 'iss' }],
    ['an expiry in the past', { exp: expired }, { cause: 'ERR_JWT_EXPIRED', claim: 'exp' }],
    ['no organizations', { organizations: undefined }, { code: 'FORBIDDEN' }],
  ])('with %s leaves a line with the reason', async (_, claims, reason) => {
    gateway ??= await startTestGateway({ gateway: { logger, callerAuth: issuer.settings } });
    const token = await issuer.sign(claims);
    await gateway.query(QUERY, {}, { Authorization: `Bearer ${token}` });
    expect(refusals()).toMatchObject([{ address: '127.0.0.1', ...reason }]);
    expect(JSON.stringify(logger.lines)).not.toContain(token.slice(0, 40));
  });

  it('with another signature leaves a line without the token', async () => {
    const [head, claims] = (await issuer.sign()).split('.');
    const [, , signature] = (await issuer.sign({ sub: 'other' })).split('.');
    const token = [head, claims, signature].join('.');
    await gateway.query(QUERY, {}, { Authorization: `Bearer ${token}` });
    expect(refusals()).toMatchObject([{ cause: 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED' }]);
    expect(JSON.stringify(logger.lines)).not.toContain(String(claims));
  });
});
