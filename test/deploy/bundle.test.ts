/** `scripts/bundle.js` bundles the compiled server; `scripts/packManifest.js` changes the manifest for packing. */
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';

const project = fileURLToPath(new URL('../../', import.meta.url));
const scripts = ['scripts/bundle.js', 'scripts/isFresh.js', 'scripts/packManifest.js'];
const MANIFEST = '{ "type": "module", "dependencies": { "dataloader": "1.0.0", "graphql": "16.0.0" } }\n';

let folder: string;
const read = (name: string) => readFileSync(path.join(folder, name), 'utf8');
const write = (name: string, text: string) => writeFileSync(path.join(folder, name), text);
/** Without the shifted clock of tests, because the scripts compare their time with the dates of files. */
const run = (file: string, ...args: readonly string[]) =>
  execFileSync(process.execPath, [file, ...args], {
    cwd: folder,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'] },
  });

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'fieldgraph-bundle-'));
  for (const name of scripts) cpSync(path.join(project, name), path.join(folder, name));
  for (const name of ['build/workers', 'node_modules'])
    mkdirSync(path.join(folder, name), { recursive: true });
  for (const name of ['dataloader', 'graphql', 'rolldown'])
    symlinkSync(path.join(project, 'node_modules', name), path.join(folder, 'node_modules', name));
  write('package.json', MANIFEST);
  write('package-lock.json', '{}\n');
  write(
    'build/app.js',
    "import Loader from 'dataloader';\nimport { GraphQLError } from 'graphql';\n" +
      'export const names = [Loader.name, GraphQLError.name];\n',
  );
  write('build/errors.js', 'export const codes = [];\n');
  write('build/main.js', "import { names } from './app.js';\nconsole.log('first', names.join());\n");
  write(
    'build/workers/worker.js',
    "import { names } from '../app.js';\nconsole.log('worker', names.join());\n",
  );
});

afterAll(() => rmSync(folder, { recursive: true }));

it('scripts/bundle.js bundles all packages except graphql, again when a compiled file is newer', () => {
  run('scripts/bundle.js');
  expect(run('dist/main.js')).toBe('first DataLoader,GraphQLError\n');
  expect(run('dist/server/worker.js')).toBe('worker DataLoader,GraphQLError\n');
  const packages: { name: string }[] = JSON.parse(read('dist/server/packages.json'));
  expect(packages.map(({ name }) => name)).toEqual(['dataloader']);
  expect(read('dist/server/THIRD_PARTY_LICENSES.txt')).toContain('Licence: MIT');

  write('build/main.js', "import { names } from './app.js';\nconsole.log('second', names.join());\n");
  const past = new Date(0);
  utimesSync(path.join(folder, 'build/main.js'), past, past);
  run('scripts/bundle.js');
  expect(run('dist/main.js')).toMatch(/^first/);

  const future = new Date('2100-01-01T00:00:00Z');
  utimesSync(path.join(folder, 'build/main.js'), future, future);
  run('scripts/bundle.js');
  expect(run('dist/main.js')).toMatch(/^second/);
});

it('scripts/packManifest.js removes the bundled packages from the manifest until it is restored', () => {
  run('scripts/bundle.js');
  run('scripts/packManifest.js');
  expect(JSON.parse(read('package.json'))).toEqual({ type: 'module', dependencies: { graphql: '16.0.0' } });
  expect(() => run('scripts/packManifest.js')).toThrow('--restore');
  run('scripts/packManifest.js', '--restore');
  expect(read('package.json')).toBe(MANIFEST);
});

it('the bundle has no hash functions in JavaScript, and a gateway does not load the fetch of Node.js', () => {
  const packages: { name: string }[] = JSON.parse(
    readFileSync(path.join(project, 'dist/server/packages.json'), 'utf8'),
  );
  const names = packages.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['@apollo/server', 'axios']));
  for (const name of ['sha.js', 'form-data', 'follow-redirects']) expect(names).not.toContain(name);

  const program = `import { readConfig, startApp } from '${pathToFileURL(path.join(project, 'dist/app.js'))}';
    await startApp(readConfig({ PORT: '0', SANDBOX_PORT: '0', SANDBOX_SITES: '1', LOG_LEVEL: 'error' }));
    console.log(process.moduleLoadList.filter((name) => name.includes('deps/undici')));
    process.exit(0);`;
  expect(run('--input-type=module', '--eval', program)).toBe('[]\n');
});
