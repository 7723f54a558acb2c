/**
 * `scripts/vendor.js` changes the compiled files and the manifest for packing; the next build runs on the packages
 * again.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';

const project = fileURLToPath(new URL('../../', import.meta.url));
const MANIFEST = '{ "type": "module", "dependencies": { "axios": "1.0.0", "graphql": "16.0.0" } }\n';

let folder: string;
const read = (name: string) => readFileSync(path.join(folder, name), 'utf8');
const run = (file: string, ...args: readonly string[]) =>
  execFileSync(process.execPath, [file, ...args], { cwd: folder, encoding: 'utf8' });
const build = () => run(path.join(project, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.build.json');

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'fieldgraph-vendor-'));
  for (const name of ['scripts/vendor.js', 'tsconfig.json', 'tsconfig.build.json'])
    cpSync(path.join(project, name), path.join(folder, name));
  for (const name of ['src/rest', 'node_modules']) mkdirSync(path.join(folder, name), { recursive: true });
  for (const name of ['axios', 'rolldown', '@tsconfig', '@types'])
    symlinkSync(path.join(project, 'node_modules', name), path.join(folder, 'node_modules', name));
  writeFileSync(path.join(folder, 'package.json'), MANIFEST);
  writeFileSync(path.join(folder, 'src/rest/client.ts'), "export { isAxiosError } from 'axios';\n");
});

afterAll(() => rmSync(folder, { recursive: true }));

it('scripts/vendor.js bundles packages for packing, until the manifest is restored and the next build is done', () => {
  build();
  const compiled = read('dist/rest/client.js');
  run('scripts/vendor.js');
  expect(read('dist/rest/client.js')).toContain("from '../vendor/axios.js'");
  expect(JSON.parse(read('package.json'))).toMatchObject({ dependencies: { graphql: '16.0.0' } });
  expect(read('package.json')).not.toContain('axios');
  run('scripts/vendor.js', '--restore');
  expect(read('package.json')).toBe(MANIFEST);
  build();
  expect(read('dist/rest/client.js')).toBe(compiled);
});
