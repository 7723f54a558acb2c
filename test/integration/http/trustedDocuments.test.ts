/** Trusted documents that change while the gateway runs. */
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { hashDocument } from '../../../src/graphql/documents/trustedDocuments.js';
import { defaultOperationLimits } from '../../../src/graphql/limits/operationLimits.js';
import { startTestGateway } from '../../support/gateway.js';
import { connectSocket } from '../../support/http/callers.js';
import { createRecordingLogger, until } from '../../support/http/edgeGateway.js';
import { createGate } from '../../support/waiting.js';

const OLD = 'query Old { sites { totalCount } }';
const NEW = 'query New { devices { totalCount } }';
const BOTH = 'query Both { __typename }';

const logger = createRecordingLogger();
const parent = mkdtempSync(path.join(tmpdir(), 'documents-'));
const directory = path.join(parent, 'current');
const write = (name: string, text: string) => writeFileSync(path.join(directory, name), text);
const toManifest = (...texts: string[]) =>
  JSON.stringify(Object.fromEntries(texts.map((text) => [hashDocument(text), text])));

mkdirSync(directory);
write('manifest.json', toManifest(OLD, BOTH));
/** Four operations of a caller execute at a time. */
const operation = { ...defaultOperationLimits, maxCost: 100 };
const MAX_EXECUTING = 4;
const callerLimits = { operation, trustedDocuments: directory, trustedDocumentsOnly: true };
const gateway = await startTestGateway({ sandbox: { siteCount: 1 }, gateway: { logger, callerLimits } });

afterAll(() => rmSync(parent, { recursive: true }));

/** The code of the error; undefined if the document is executed. */
const codeOf = async (text: string) => (await gateway.query(text)).body.errors?.[0]?.extensions.code;
const messages = () => logger.lines.map(({ message }) => message);
const REFUSED = 'DOCUMENT_NOT_TRUSTED';
const READ = 'Trusted documents read';
const UNUSABLE = 'TRUSTED_DOCUMENTS is not usable; keeping the previous documents';

async function change(begin: () => void, message: string): Promise<unknown> {
  logger.lines.length = 0;
  begin();
  await until(() => messages().includes(message));
  return logger.lines.find((line) => line.message === message)?.fields;
}

describe('a directory of trusted documents that changes', () => {
  beforeEach(async () => {
    mkdirSync(directory, { recursive: true });
    write('manifest.json', toManifest(OLD, BOTH));
    await until(async () => (await codeOf(OLD)) === undefined);
  });

  it('is read again: new documents are executed, and removed ones refused, cached responses too', async () => {
    const socket = connectSocket(gateway.url);
    expect(await socket.first(OLD)).toBeDefined();
    // The third response is a cached one.
    for (let at = 0; at < 3; at++) expect(await codeOf(OLD)).toBeUndefined();
    expect(await codeOf(NEW)).toBe(REFUSED);
    expect(await change(() => write('manifest.json', toManifest(NEW, BOTH)), READ)).toEqual({ documents: 2 });
    expect(await codeOf(OLD)).toBe(REFUSED);
    expect(await codeOf(NEW)).toBeUndefined();
    await expect(socket.first(OLD)).rejects.toMatchObject([{ extensions: { code: REFUSED } }]);
    await socket.client.dispose();
  });

  it('executes a document that stays without interruption', async () => {
    const codes: unknown[] = [];
    let isOver = false;
    const asking = until(async () => {
      codes.push(await codeOf(BOTH));
      return isOver;
    });
    await change(() => write('manifest.json', toManifest(NEW, BOTH)), READ);
    isOver = true;
    await asking;
    expect(new Set(codes)).toEqual(new Set([undefined]));
  });

  it('executes an operation by hash that began to wait before its document was removed', async () => {
    const { open, opened } = createGate();
    gateway.sandbox.faults.add({ match: 'GET /v2.0/site', until: opened });
    const headers = { 'Content-Type': 'application/json', 'Cache-Control': 'no-cache' };
    const extensions = { persistedQuery: { version: 1, sha256Hash: hashDocument(OLD) } };
    const send = async () => {
      const body = JSON.stringify({ extensions });
      return (await fetch(`${gateway.url}/graphql`, { method: 'POST', headers, body })).json();
    };
    const sent = Array.from({ length: MAX_EXECUTING + 1 }, send);
    await until(async () => {
      const page = await (await fetch(`${gateway.url}/metrics`)).text();
      return page.includes('fieldgraph_operations{state="waiting"} 1\n');
    });
    await change(() => write('manifest.json', toManifest(NEW)), READ);
    open();
    for (const response of sent) expect(await response).toEqual({ data: { sites: { totalCount: 1 } } });
    gateway.sandbox.faults.clear();
  });

  it.each([
    [
      'is not valid',
      () => write('new.graphql', 'query New {\n  sites {'),
      'new.graphql, line 2: Syntax Error',
    ],
    ['has no document', () => rmSync(path.join(directory, 'manifest.json')), 'contains no document'],
    ['does not exist', () => renameSync(directory, `${directory}.old`), 'ENOENT'],
  ])('keeps the previous documents while it %s', async (_, begin, reason) => {
    const line = await change(begin, UNUSABLE);
    expect(line).toMatchObject({ cause: { message: expect.stringContaining(reason) } });
    expect(await codeOf(OLD)).toBeUndefined();
    const repair = () => {
      rmSync(directory, { recursive: true, force: true });
      mkdirSync(directory);
      write('manifest.json', toManifest(NEW));
    };
    expect(await change(repair, READ)).toEqual({ documents: 1 });
    expect(await codeOf(NEW)).toBeUndefined();
    expect(await codeOf(OLD)).toBe(REFUSED);
    expect(messages()).not.toContain(UNUSABLE);
  });
});
