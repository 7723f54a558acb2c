/** Directories of trusted documents: their forms, and errors that name the file and the line. */
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  findInvalidDocuments,
  readTrustedDocuments,
  toTextsById,
  warnAboutDocuments,
} from '../../../../src/graphql/documents/trustedDocuments.js';
import { createSchema } from '../../../../src/graphql/schema.js';
import { silentLogger } from '../../../../src/lib/logger.js';

const schema = createSchema();
const BOM = '\uFEFF';
const SITES = '{ sites { totalCount } }';
const UNKNOWN = '{ sites { totalCount } weather }';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'documents-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

const write = (name: string, text: string) => writeFileSync(path.join(directory, name), text);
const read = () => readTrustedDocuments(directory);

describe('a directory of trusted documents', () => {
  it('is read from files and the manifest, without byte order marks', async () => {
    write('sites.graphql', `${BOM}${SITES}\n`);
    write('notes.txt', 'no document');
    write('manifest.json', `${BOM}{"sha256:${sha256('{ __typename }')}": "{ __typename }"}`);
    const byHash = toTextsById(await read());
    expect([...byHash.keys()].sort()).toEqual([`${SITES}\n`, SITES, '{ __typename }'].map(sha256).sort());
    expect(byHash.get(sha256(SITES))).toBe(SITES);
  });

  it('is read from the files of GraphQL Code Generator and Apollo', async () => {
    const names = '{ sites { nodes { name } } }';
    write('persisted-documents.json', JSON.stringify({ [sha256(SITES)]: SITES }));
    const operations = [{ id: sha256(names), name: 'Names', type: 'query', body: names }];
    const manifest = { format: 'apollo-persisted-query-manifest', version: 1, operations };
    write('persisted-query-manifest.json', JSON.stringify(manifest));
    expect([...toTextsById(await read())]).toEqual([
      [sha256(SITES), SITES],
      [sha256(names), names],
    ]);
  });

  it('has ids of an application, which name one document each', async () => {
    const names = '{ sites { nodes { name } } }';
    write('manifest.json', JSON.stringify({ 'x-app:1': SITES, 'x-app:2': names }));
    const byId = toTextsById(await read());
    expect([...byId.keys()].sort()).toEqual([sha256(SITES), sha256(names), 'x-app:1', 'x-app:2'].sort());
    expect(byId.get('x-app:2')).toBe(names);
    write('persisted-documents.json', JSON.stringify({ 'x-app:2': SITES }));
    const documents = await read();
    expect(() => toTextsById(documents)).toThrow(
      'persisted-documents.json, line 1, x-app:2: Another document has the same id.',
    );
  });

  it('has no two documents with the same id in one manifest', async () => {
    write('manifest.json', `{\n  "x-app:1": "${SITES}",\n  "x-app:1": "{ __typename }"\n}`);
    const documents = await read();
    expect(() => toTextsById(documents)).toThrow('x-app:1: Another document has the same id.');
    write('manifest.json', `{ "x-app:1": "${SITES}", "x-app:1": "${SITES}" }`);
    expect(toTextsById(await read()).get('x-app:1')).toBe(SITES);
    write('manifest.json', JSON.stringify({ 'x-"quoted\\":1': 'query A { a: __typename }\n# "x\\"' }));
    expect(toTextsById(await read()).get('x-"quoted\\":1')).toBe('query A { a: __typename }\n# "x\\"');
  });

  it('is found by a hash as the manifest writes it', async () => {
    const upperCase = sha256(SITES).toUpperCase();
    write('manifest.json', JSON.stringify({ [`sha256:${upperCase}`]: SITES }));
    const byId = toTextsById(await read());
    expect([...byId]).toEqual([
      [sha256(SITES), SITES],
      [upperCase, SITES],
    ]);
  });

  it.each([
    [
      'an id',
      'manifest.json',
      `{ "app:1": "${SITES}" }`,
      'app:1: this is not the SHA-256 of its document. Any other',
    ],
    [
      'a long id',
      'manifest.json',
      `{ "x-a:${'1'.repeat(253)}": "${SITES}" }`,
      'an id has at most 256 characters',
    ],
    ['a file', 'a.graphql', 'query A {\n  sites {', 'a.graphql, line 2: Syntax Error: Expected Name'],
    ['a manifest that is not JSON', 'manifest.json', '{\n  "a": \n}', 'manifest.json: The file is not JSON.'],
    ['a manifest that is not JSON', 'manifest.json', '{\n  "a": \n}', 'line 3, column 1.'],
    ['a manifest that is not an object', 'manifest.json', '[]', 'manifest.json does not contain'],
    [
      'a wrong hash',
      'manifest.json',
      `{\n  "${sha256(SITES)}": "${SITES}",\n  "sha256:0": "${SITES}"\n}`,
      'manifest.json, line 3, sha256:0: this is not the SHA-256',
    ],
    [
      'a document that is not a string',
      'manifest.json',
      `{\n  "x-app:1": { "query": "${SITES}" }\n}`,
      'manifest.json, line 2, x-app:1: the document is not a string.',
    ],
    [
      'a SHA-1',
      'persisted-documents.json',
      `{ "${'0'.repeat(40)}": "${SITES}" }`,
      'this is not the SHA-256 of its document. It looks like a SHA-1: set `hashAlgorithm: "sha256"`',
    ],
    [
      'an operation without an id',
      'persisted-query-manifest.json',
      `{ "operations": [{ "body": "${SITES}" }] }`,
      'persisted-query-manifest.json, line 1, without an id: this is not the SHA-256',
    ],
    [
      'a document of a manifest',
      'manifest.json',
      `{\n  "${sha256('{')}": "{"\n}`,
      `manifest.json, line 2, ${sha256('{')}: Syntax Error`,
    ],
  ])('names the place of an error in %s', async (_, file, text, message) => {
    write(file, text);
    await expect(read()).rejects.toMatchObject({
      setting: 'TRUSTED_DOCUMENTS',
      message: expect.stringContaining(message),
    });
  });

  it('is reported in the log if it has no document', async () => {
    const warnings: unknown[] = [];
    const logger = { ...silentLogger, warn: (...line: unknown[]) => void warnings.push(line) };
    write('notes.json', JSON.stringify({ [sha256(SITES)]: SITES }));
    await warnAboutDocuments(directory, await read(), schema, logger);
    expect(warnings).toEqual([[{ directory }, 'TRUSTED_DOCUMENTS contains no document']]);
  });

  it('is refused if it does not exist', async () => {
    await expect(readTrustedDocuments(path.join(directory, 'none'))).rejects.toThrow('ENOENT');
  });
});

describe('documents that do not match the schema', () => {
  it('are named with file, line, hash and reason', async () => {
    write('good.graphql', SITES);
    write('unknown.graphql', '{\n  sites { totalCount }\n  weather\n}');
    write('stream.graphql', '{ sites @stream { totalCount } }');
    write('manifest.json', JSON.stringify({ [sha256(UNKNOWN)]: UNKNOWN }, null, 2));
    expect(await findInvalidDocuments(await read(), schema)).toEqual([
      expect.stringMatching(/^stream\.graphql, line 1: Directive "@stream" cannot be used/),
      expect.stringMatching(/^unknown\.graphql, line 3: Cannot query field "weather" on type "Query"\./),
      expect.stringMatching(/^manifest\.json, line 2, [0-9a-f]{64}: Cannot query field "weather"/),
    ]);
  });
});
