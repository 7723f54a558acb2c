/** Processes whose trusted documents change while they run. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { ask, until } from '../support/http/edgeGateway.js';
import { start, urlIn } from './startedProcess.js';

const directory = mkdtempSync(path.join(tmpdir(), 'documents-'));
const file = path.join(directory, 'document.graphql');

afterAll(() => rmSync(directory, { recursive: true }));

it('every worker reads trusted documents again, and one of them compares them with the schema', async () => {
  writeFileSync(file, '{ sites { totalCount } }');
  const documents = { TRUSTED_DOCUMENTS: directory, TRUSTED_DOCUMENTS_ONLY: 'true' };
  const gateway = start([], { WORKERS: '2', LOG_LEVEL: 'info', SANDBOX_SITES: '1', ...documents });
  const url = urlIn(await gateway.startupOutput());
  const countOf = (message: string) => gateway.stderr.split(`"msg":"${message}"`).length - 1;
  writeFileSync(file, 'query Known { __typename } query Unknown { weather }');
  await until(() => countOf('Trusted documents read') === 2);
  expect(countOf('Trusted documents do not match the schema')).toBe(1);
  writeFileSync(file, '{ devices { totalCount } }');
  await until(() => countOf('Trusted documents read') === 4);
  for (let connection = 0; connection < 8; connection++) {
    expect((await ask(url, '{ devices { totalCount } }')).errors).toBeUndefined();
    const [refusal] = (await ask(url, '{ sites { totalCount } }')).errors ?? [];
    expect(refusal?.extensions['code']).toBe('DOCUMENT_NOT_TRUSTED');
  }
});
