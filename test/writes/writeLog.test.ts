/** Every write logs one line: the caller, the changed entities and the result. */
import { beforeEach, describe, expect, it } from 'vitest';
import { fullestStream, startStillGateway } from '../support/gateway.js';
import { connectSocket, createKeysFile } from '../support/http/callers.js';
import { createRecordingLogger } from '../support/http/edgeGateway.js';
import type { FaultTarget } from '../support/sandbox/testSandbox.js';

const logger = createRecordingLogger();
const keys = await createKeysFile();
const key = await keys.add({ name: 'operator', scopes: ['read', 'write'] });
const readingKey = await keys.add({ name: 'dashboard', scopes: ['read'] });
const callerAuth = { kind: 'api-key' as const, file: keys.file };
const gateway = await startStillGateway({ gateway: { callerAuth, logger } });
const streamId = fullestStream(gateway, 'scalar');

beforeEach(() => {
  logger.lines.length = 0;
  gateway.sandbox.faults.clear();
});

const lines = () => logger.lines.filter(({ message }) => message === 'Mutation executed');

function write(operation: string, variables: Record<string, unknown> = {}) {
  return gateway.query(operation, variables, { 'X-API-Key': key, 'X-Request-Id': 'request-7' });
}

const setThreshold = `mutation ($input: SetStreamThresholdInput!) { setStreamThreshold(input: $input) { userErrors { code } } }`;
const setAttributes = `mutation ($input: SetSiteCustomAttributesInput!) { setSiteCustomAttributes(input: $input) { userErrors { code } } }`;
const thresholdInput = (id: string | number = streamId) => ({
  input: { streamId: String(id), levels: [{ name: 'Low', upperLimit: -4711 }, { name: 'High' }] },
});

describe('a log line', () => {
  it('contains caller, mutation, entity, levels, request and result, and no value', async () => {
    const { body } = await write(setThreshold, thresholdInput());
    expect(body.errors).toBeUndefined();
    expect(lines()).toEqual([
      {
        level: 'info',
        message: 'Mutation executed',
        fields: {
          requestId: 'request-7',
          caller: 'operator',
          callerKey: key.slice(3, 19),
          mutation: 'setStreamThreshold',
          ids: [`Stream:${streamId}`],
          levels: ['Low', 'High'],
          result: 'ok',
        },
      },
    ]);
    expect(JSON.stringify(lines())).not.toContain('-4711');
  });

  it('is written over a websocket as well', async () => {
    const socket = connectSocket(gateway.url, { params: { 'X-API-Key': key } });
    expect(await socket.first(setThreshold, thresholdInput())).toMatchObject({
      data: { setStreamThreshold: { userErrors: [] } },
    });
    expect(lines().map(({ fields }) => fields)).toEqual([
      expect.objectContaining({
        caller: 'operator',
        ids: [`Stream:${streamId}`],
        result: 'ok',
        requestId: expect.stringMatching(/./),
      }),
    ]);
  });

  it('is written once for each mutation field', async () => {
    const site = { siteId: 'Site:16801', name: 'Asset owner', value: 'secret-value' };
    await write(
      `mutation ($one: SetSiteCustomAttributesInput!, $stream: ID!) {
        first: setSiteCustomAttributes(input: $one) { userErrors { code } }
        second: setStreamThreshold(input: { streamId: $stream, levels: [] }) { userErrors { code } }
      }`,
      { one: { attributes: [site, site] }, stream: 'Stream:999999' },
    );
    expect(lines().map(({ fields }) => fields)).toMatchObject([
      { mutation: 'setSiteCustomAttributes', ids: ['Site:16801'], attributes: ['Asset owner'] },
      { mutation: 'setStreamThreshold', ids: ['Stream:999999'] },
    ]);
    expect(JSON.stringify(lines())).not.toContain('secret-value');
  });

  it('contains the user errors', async () => {
    await write(setThreshold, thresholdInput(999_999));
    expect(lines()[0]?.fields).toMatchObject({ result: 'userErrors', codes: ['NOT_FOUND'] });
  });

  it.each([
    [400, { result: 'failed', code: 'PLATFORM_REFUSED' }],
    [500, { result: 'mayHaveTakenEffect', code: 'PLATFORM_UNAVAILABLE' }],
  ])('contains the failure of a write that gets %i from the platform', async (status, result) => {
    gateway.sandbox.faults.add({ match: 'POST /v2.0/stream/{streamId}/threshold', status });
    await write(setThreshold, thresholdInput());
    expect(lines().map(({ fields }) => fields)).toEqual([expect.objectContaining(result)]);
  });

  it('is written for the queues', async () => {
    await write(
      'mutation { acknowledgeSamples(input: { kind: SCALAR, sampleId: "1" }) { userErrors { code } } }',
    );
    await write(
      'mutation { backfillSamples(input: { kind: SCALAR, since: "2026-03-01T00:00:00Z", agent: "me" }) { userErrors { code } } }',
    );
    expect(lines().map(({ fields }) => fields)).toMatchObject([
      { mutation: 'acknowledgeSamples', queue: 'SCALAR', sampleId: '1' },
      {
        mutation: 'backfillSamples',
        queue: 'SCALAR',
        since: '2026-03-01T00:00:00.000Z',
        agent: 'me',
        result: 'ok',
      },
    ]);
  });

  it('stays short for any length of the input', async () => {
    const attributes = Array.from({ length: 1500 }, (_, index) => ({
      siteId: String(1_000_000_000_000 + index),
      name: `${index}${'x'.repeat(80)}`,
      value: 'v',
    }));
    await write(setAttributes, { input: { attributes } });
    const [line] = lines();
    expect(line?.fields).toMatchObject({ ids: { total: 1500 }, attributes: { total: 1500 } });
    expect(JSON.stringify(line).length).toBeLessThan(16_384);
    const name = 'y'.repeat(100_000);
    await write(setAttributes, { input: { attributes: [{ siteId: name, name, value: '' }] } });
    await write(
      'mutation ($agent: String!, $id: ID!) { acknowledgeSamples(input: { kind: RFID, sampleId: $id, agent: $agent }) { userErrors { code } } }',
      { agent: name, id: name },
    );
    expect(lines()).toHaveLength(3);
    expect(JSON.stringify(lines().slice(1)).length).toBeLessThan(2000);
  });
});

describe('a mutation of a caller without the scope', () => {
  const refused = {
    level: 'info',
    message: 'Mutation refused',
    fields: {
      requestId: expect.any(String),
      caller: 'dashboard',
      callerKey: expect.stringMatching(/^[0-9a-f]{16}$/),
      mutation: 'setStreamThreshold',
      code: 'FORBIDDEN',
      result: 'refused',
    },
  };

  it('leaves a line over HTTP and websocket, and sends nothing', async () => {
    gateway.sandbox.calls.reset();
    const headers = { 'X-API-Key': readingKey };
    const { body } = await gateway.query(setThreshold, thresholdInput(), headers);
    expect(body.errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
    const socket = connectSocket(gateway.url, { params: headers });
    await socket.first(setThreshold, thresholdInput()).catch(() => undefined);
    await socket.client.dispose();
    expect(logger.lines).toEqual([refused, refused]);
    expect(gateway.restCalls()).toEqual([]);
  });
});

describe('a write in flight when the gateway stops', () => {
  it('leaves one line, although its result never arrives', async () => {
    const own = createRecordingLogger();
    const stopped = await startStillGateway({ gateway: { logger: own } });
    const match = 'POST /v2.0/sample/batch/ack';
    const cancelled = new AbortController();
    const arrived = new Promise<void>((resolve) => {
      const isWrite = ({ method, pathTemplate }: FaultTarget) => {
        if (`${method} ${pathTemplate}` !== match) return false;
        resolve();
        return true;
      };
      stopped.sandbox.faults.add({ match: isWrite, hangBeforeHeaders: true });
    });
    const query =
      'mutation { acknowledgeSamples(input: { kind: SCALAR, sampleId: "1" }) { userErrors { code } } }';
    const request = fetch(`${stopped.url}/graphql`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ query }),
      signal: cancelled.signal,
    }).catch(() => undefined);
    await arrived;
    // Without its client, the stop does not wait for it.
    cancelled.abort();
    await request;
    await stopped.stop();
    expect(own.lines.filter(({ message }) => message === 'Mutation executed')).toMatchObject([
      { fields: { mutation: 'acknowledgeSamples', result: 'mayHaveTakenEffect', code: 'STOPPING' } },
    ]);
  });
});

describe('a caller with its own platform credential', () => {
  it('is identified by a fingerprint, not by its key', async () => {
    const own = createRecordingLogger();
    const callers = await startStillGateway({ gateway: { callerAuth: { kind: 'platform' }, logger: own } });
    const [{ key: platformKey, secret }] = callers.sandbox.credentials;
    const basic = Buffer.from(`${platformKey}:${secret}`).toString('base64');
    await callers.query(setThreshold, thresholdInput(), { Authorization: `Basic ${basic}` });
    const fields = own.lines.find(({ message }) => message === 'Mutation executed')?.fields;
    expect(fields).toMatchObject({ caller: expect.stringMatching(/^platform key [0-9a-f]{12}$/) });
    expect(JSON.stringify(fields)).not.toContain(platformKey === 'sandbox' ? '"sandbox"' : platformKey);
  });
});
