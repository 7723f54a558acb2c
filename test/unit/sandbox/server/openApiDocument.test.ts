/** The sandbox's OpenAPI document passes the linter, and documents every field with its unit. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { createOpenApiDocument } from '../../../../src/sandbox/server/openApiDocument.js';
import { endpointTable } from '../../../../src/sandbox/server/requestHandler.js';
import type { OpenApiDocument } from '../../../support/sandbox/openapi.js';

const document = createOpenApiDocument(endpointTable, 'http://127.0.0.1:4010') as unknown as OpenApiDocument;

it('the OpenAPI document passes Redocly', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'openapi-'));
  try {
    const file = join(folder, 'openapi.json');
    await writeFile(file, JSON.stringify(document));
    const cli = 'node_modules/@redocly/cli/bin/cli.js';
    const config = 'test/contract/redocly.yaml';
    const { stdout, stderr } = await promisify(execFile)(
      process.execPath,
      [cli, 'lint', file, '--config', config, '--format', 'json'],
      { env: { ...process.env, REDOCLY_TELEMETRY: 'off', CI: '1' } },
    );
    expect(JSON.parse(stdout), stderr).toMatchObject({ totals: { errors: 0, warnings: 0 } });
  } finally {
    await rm(folder, { recursive: true });
  }
});

it('the OpenAPI document describes every field, each number with a format', () => {
  for (const [name, schema] of Object.entries(document.components.schemas)) {
    const properties = (schema['properties'] ?? {}) as Record<string, Record<string, unknown>>;
    for (const [field, { description, type, format, $ref }] of Object.entries(properties)) {
      if ($ref !== undefined) continue;
      expect(description, `${name}.${field}`).toMatch(/\.$/);
      if (type === 'integer' || type === 'number') expect(format, `${name}.${field}`).toBeDefined();
    }
  }
});

it('the OpenAPI document is generated from the endpoint table: no operation twice, none without a tag', () => {
  const ids = endpointTable.map(({ operationId }) => operationId);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).toHaveLength(56);
});
