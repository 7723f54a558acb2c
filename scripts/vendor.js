/**
 * Runs before `npm pack`: bundles Apollo Server and axios into `dist/vendor`, because they need 125 packages, of
 * which the gateway uses only a few. graphql-js stays a separate package, because a process may contain only one
 * copy of it. `--restore` runs after the package is made.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const BUNDLED = ['@apollo/server', 'axios'];
const EXTERNAL = [/^node:/, /^graphql($|\/)/];

const project = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const dist = path.join(project, 'dist');
const vendor = path.join(dist, 'vendor');
const buildInfoFile = path.join(dist, '.tsbuildinfo');
const manifestFile = path.join(project, 'package.json');
/** Neither git nor npm sees it. */
const backupFile = path.join(project, 'node_modules/.cache/fieldgraph/package.json');

/** The compiled files that import a bundled package, and what they import. */
function listImports() {
  return readdirSync(dist, { recursive: true })
    .filter((name) => name.endsWith('.js') && !/^(bench|explorer|client|vendor)[\\/]/.test(name))
    .map((name) => path.join(dist, name))
    .map((file) => ({ file, text: readFileSync(file, 'utf8') }))
    .map(({ file, text }) => ({ file, text, names: [...text.matchAll(PATTERN)].map(([, name]) => name) }))
    .filter(({ names }) => names.length > 0);
}

const PATTERN = new RegExp(`(?<=\\bfrom )'((?:${BUNDLED.join('|')})(?:/[^']*)?)'`, 'g');
const toEntry = (name) => name.replace('@', '').replaceAll('/', '-');

async function bundle(names) {
  const input = Object.fromEntries(names.map((name) => [toEntry(name), name]));
  const build = await rolldown({
    cwd: project,
    input,
    platform: 'node',
    external: EXTERNAL,
    logLevel: 'silent',
  });
  const { output } = await build.write({ dir: vendor, format: 'esm' });
  return output.flatMap(({ moduleIds = [] }) => moduleIds).filter((id) => id.includes('node_modules'));
}

function rewrite({ file, text }) {
  const toVendor = (name) => {
    const relative = path.relative(path.dirname(file), path.join(vendor, `${toEntry(name)}.js`));
    return `'${relative.replaceAll('\\', '/')}'`;
  };
  writeFileSync(
    file,
    text.replace(PATTERN, (_, name) => toVendor(name)),
  );
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
  writeFileSync(path.join(vendor, 'packages.json'), `${JSON.stringify(list, null, 2)}\n`);
  const notices = packages.map(({ name, version, license, text }) =>
    `${name} ${version}\nLicence: ${license}\n\n${text}`.trimEnd(),
  );
  writeFileSync(path.join(vendor, 'THIRD_PARTY_LICENSES.txt'), `${notices.join('\n\n---\n\n')}\n`);
}

/** Installations of the package must not install them again. */
function withoutBundled(text) {
  const { dependencies, ...rest } = JSON.parse(text);
  for (const name of BUNDLED) delete dependencies[name];
  return `${JSON.stringify({ ...rest, dependencies }, null, 2)}\n`;
}

if (process.argv.includes('--restore')) {
  writeFileSync(manifestFile, readFileSync(backupFile));
  rmSync(backupFile);
} else if (existsSync(backupFile)) {
  throw new Error(
    'An interrupted run has left package.json changed: run `node scripts/vendor.js --restore`.',
  );
} else {
  const imports = listImports();
  const moduleIds = await bundle([...new Set(imports.flatMap(({ names }) => names))]);
  writeNotices(listPackages(moduleIds));
  // The compiler would treat the changed files as its own output and not rebuild them.
  rmSync(buildInfoFile, { force: true });
  for (const one of imports) rewrite(one);
  const manifest = readFileSync(manifestFile, 'utf8');
  mkdirSync(path.dirname(backupFile), { recursive: true });
  writeFileSync(backupFile, manifest);
  writeFileSync(manifestFile, withoutBundled(manifest));
}
