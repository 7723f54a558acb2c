/** The lines of the access log about documents and clients, which show whether TRUSTED_DOCUMENTS_ONLY is safe to set. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { hashDocument } from '../../../src/graphql/documents/trustedDocuments.js';
import { startTestGateway } from '../../support/gateway.js';
import { connectSocket } from '../../support/http/callers.js';
import { createRecordingLogger, until } from '../../support/http/edgeGateway.js';
import { createGate } from '../../support/waiting.js';

const TRUSTED = '{ sites { totalCount } }';
const OTHER = '{ devices { totalCount } }';

const logger = createRecordingLogger();
const directory = mkdtempSync(path.join(tmpdir(), 'documents-'));
writeFileSync(path.join(directory, 'sites.graphql'), `${TRUSTED}\n`);
const callerLimits = { trustedDocuments: directory };
const settings = { logger, accessLog: 1, callerLimits };
const gateway = await startTestGateway({ sandbox: { siteCount: 1 }, gateway: settings });

afterAll(() => rmSync(directory, { recursive: true }));

const persistedQuery = (text: string) => ({ persistedQuery: { version: 1, sha256Hash: hashDocument(text) } });

/** The fields of the line, which is written after the response. */
async function send(parameters: object, headers: Record<string, string> = {}): Promise<object | undefined> {
  logger.lines.length = 0;
  await fetch(`${gateway.url}/graphql`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(parameters),
  });
  return nextLine();
}

async function nextLine(wanted = 'Operation completed'): Promise<object | undefined> {
  const find = () => logger.lines.find(({ message }) => message === wanted);
  await until(() => find() !== undefined);
  return find()?.fields;
}

const lineOf = (text: string, document: string) => ({
  document,
  documentHash: hashDocument(text).slice(0, 16),
});

describe('a line of the access log', () => {
  it('says where the document comes from', async () => {
    expect(await send({ query: TRUSTED })).toMatchObject(lineOf(TRUSTED, 'trusted'));
    expect(await send({ extensions: persistedQuery(TRUSTED) })).toMatchObject(lineOf(TRUSTED, 'trusted'));
    expect(await send({ query: OTHER })).toMatchObject(lineOf(OTHER, 'text'));
    expect(await send({ query: OTHER, extensions: persistedQuery(OTHER) })).toMatchObject(
      lineOf(OTHER, 'text'),
    );
    expect(await send({ extensions: persistedQuery(OTHER) })).toMatchObject(lineOf(OTHER, 'persisted'));
  });

  it('says so over a websocket as well', async () => {
    logger.lines.length = 0;
    const socket = connectSocket(gateway.url);
    await socket.first(OTHER);
    expect(await nextLine()).toMatchObject({ transport: 'websocket', ...lineOf(OTHER, 'text') });
    await socket.client.dispose();
  });

  it('is written when a subscription begins', async () => {
    logger.lines.length = 0;
    const query = 'subscription Live { sampleReceived { id } }';
    const socket = connectSocket(gateway.url);
    void socket.first(query).catch(() => undefined);
    expect(await nextLine('Subscription opened')).toMatchObject({
      ...{ transport: 'websocket', caller: 'anyone', operation: 'Live', type: 'subscription' },
      ...lineOf(query, 'text'),
    });
    await socket.client.dispose();
  });

  it.each([
    ['shared by equal requests', {}],
    ['of its own', { 'Cache-Control': 'no-cache' }],
    ['of its own, in parts', { Accept: 'multipart/mixed;incrementalSpec=v0.2, application/json' }],
  ])('is written for a client that disconnects from an execution %s', async (_, headers) => {
    logger.lines.length = 0;
    const { open, opened } = createGate();
    gateway.sandbox.faults.add({ match: 'GET /v2.0/stream', until: opened });
    gateway.sandbox.calls.reset();
    const query = 'query Left { streams(first: 1) { nodes { name ... @defer { units } } } }';
    const client = new AbortController();
    const request = fetch(`${gateway.url}/graphql`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify({ query }),
      signal: client.signal,
    }).catch(() => 'disconnected');
    await until(() => gateway.sandbox.calls.countOf('/v2.0/stream') === 1);
    client.abort();
    expect(await request).toBe('disconnected');
    const ended = { status: 499, response: 'executed', restCalls: 1, errors: ['CANCELLED'] };
    expect(await nextLine()).toMatchObject({ operation: 'Left', ...ended });
    gateway.sandbox.faults.clear();
    open();
  });

  it('names the client', async () => {
    const headers = { 'apollographql-client-name': 'dashboard', 'apollographql-client-version': '1.4.0' };
    expect(await send({ query: OTHER }, headers)).toMatchObject({ client: 'dashboard@1.4.0' });
  });
});
