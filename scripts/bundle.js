/**
 * Bundles the compiled server and the packages that it uses into `dist`, unless the last bundle is newer than its inputs.
 * A process that loads a few files instead of 900 starts in half the time.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { isFresh, listTree, writeStamp } from './isFresh.js';

/**
 * A process may contain only one copy of graphql-js, so a program that embeds the gateway has to share it. libsql loads a
 * native module. The server loads `@redis/client` and undici by `createRequire`, which the bundler does not follow.
 */
const EXTERNAL = [/^node:/, /^graphql($|\/)/, /^libsql($|\/)/];

const project = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const compiled = path.join(project, 'build');
const output = path.join(project, 'dist');
/** All files except the entries are in this folder, as deep below the project as the folders of `src`. */
const server = path.join(output, 'server');
const stamp = path.join(server, '.built');

const entries = {
  main: path.join(compiled, 'main.js'),
  app: path.join(compiled, 'app.js'),
  errors: path.join(compiled, 'errors.js'),
  'server/worker': path.join(compiled, 'workers', 'worker.js'),
};

/**
 * Code of packages that the bundle replaces. The gateway has an adapter of its own for axios. The other adapters and
 * `FormData` are not used, but load Node's `fetch`, which takes 10 MB and a tenth of the start. Apollo Server looks for
 * Node's hash functions in a way that does not work in a bundle, and would then use slow ones.
 */
const REPLACED = [
  {
    file: /[\\/]axios[\\/]lib[\\/](adapters[\\/](http|xhr|fetch)|platform[\\/]node[\\/]classes[\\/]FormData)\.js$/,
    replace: () => 'export default undefined; export const getFetch = undefined;',
  },
  {
    file: /[\\/]axios[\\/]lib[\\/]utils\.js$/,
    replace: (code) => code.replaceAll('G.FormData', 'undefined'),
  },
  {
    file: /[\\/]@apollo[\\/]utils\.createhash[\\/]/,
    replace: () => "export { createHash } from 'node:crypto';",
  },
];

const replaceCode = {
  name: 'replace code of packages',
  transform: (code, id) => REPLACED.find(({ file }) => file.test(id))?.replace(code),
};

async function bundle() {
  const { rolldown } = await import('rolldown');
  const build = await rolldown({
    cwd: project,
    input: entries,
    platform: 'node',
    external: EXTERNAL,
    logLevel: 'silent',
    plugins: [replaceCode],
  });
  const { output: chunks } = await build.write({
    dir: output,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'server/[name].js',
  });
  return chunks.flatMap(({ moduleIds = [] }) => moduleIds).filter((id) => id.includes('node_modules'));
}

/** The packages whose modules are in the bundle, from the folders of their manifests. */
function listPackages(moduleIds) {
  const folders = new Set(
    moduleIds.map((id) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id.replace(/^\0/, ''))?.[0]),
  );
  return [...folders].filter(Boolean).sort().map(readPackage);
}

function readPackage(folder) {
  const { name, version, license } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((entry) => /^(licen[cs]e|copying)/i.test(entry));
  const text = file === undefined ? '' : readFileSync(path.join(folder, file), 'utf8').trim();
  return { name, version, license, text };
}

function writeNotices(packages) {
  const list = packages.map(({ name, version, license }) => ({ name, version, license }));
  writeFileSync(path.join(server, 'packages.json'), `${JSON.stringify(list, null, 2)}\n`);
  const notices = packages.map(({ name, version, license, text }) =>
    `${name} ${version}\nLicence: ${license}\n\n${text}`.trimEnd(),
  );
  writeFileSync(path.join(server, 'THIRD_PARTY_LICENSES.txt'), `${notices.join('\n\n---\n\n')}\n`);
}

const inputs = [
  ...(await listTree(compiled)),
  fileURLToPath(import.meta.url),
  path.join(project, 'package-lock.json'),
];
if (!(await isFresh(stamp, inputs))) {
  // Overwrites the last bundle, which another process may be loading.
  const startedAt = new Date();
  writeNotices(listPackages(await bundle()));
  await writeStamp(stamp, startedAt);
}
