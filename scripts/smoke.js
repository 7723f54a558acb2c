/**
 * Packs the package, installs it into an empty folder, starts it by its command, sends requests and stops it. Then
 * starts it from the image's root file system. Fails on warnings of the installation and of the running program.
 */
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { checkImage, printedAddress } from './image.js';

const project = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
/** Hides npm's warnings about the machine's configuration. */
const environment = { ...process.env, npm_config_loglevel: 'error' };
/** Packages of an installation, without those that other platforms need. */
const MAX_PACKAGES = 60;
const STOP_MS = 15_000;

const REQUIRED_FILES = [
  ...['dist/main.js', 'dist/explorer/index.html', 'schema/Query.graphql', 'docs/configuration.md'],
  ...['dist/client/schema.graphql', 'dist/client/introspection.d.ts', 'dist/client/errors.d.ts'],
  ...['README.md', 'LICENSE', 'CHANGELOG.md', 'SECURITY.md', 'package.json'],
  ...['dist/server/packages.json', 'dist/server/THIRD_PARTY_LICENSES.txt'],
  ...['types/fieldgraph.d.ts', 'deploy/Dockerfile', 'deploy/systemd/fieldgraph.service'],
];
const FORBIDDEN_FILES =
  /^(src|build|test|bench|scripts|explorer|dist\/bench|dist\/test|deploy\/secrets)\/|\.tsbuildinfo$|\.map$/;

async function pack(folder) {
  const args = ['pack', '--json', '--pack-destination', folder];
  const { stdout } = await promisify(execFile)('npm', args, { cwd: project, env: environment });
  // npm 11 prints a list, later versions print an object by package name. Scripts may print before it.
  const parsed = JSON.parse(stdout.slice(stdout.search(/^[[{]/m)));
  const [packed] = Object.values(parsed);
  const files = packed.files.map((file) => file.path);
  const missing = REQUIRED_FILES.filter((name) => !files.includes(name));
  assert(missing.length === 0, `The package does not contain ${missing.join(', ')}.`);
  const forbidden = files.filter((name) => FORBIDDEN_FILES.test(name));
  assert(forbidden.length === 0, `The package contains ${forbidden.slice(0, 5).join(', ')}.`);
  process.stdout.write(`Packed ${files.length} files, ${Math.round(packed.size / 1024)} KB.\n`);
  return path.join(folder, path.basename(packed.filename));
}

async function install(tarball, folder) {
  const args = ['install', '--omit=dev', '--no-audit', '--no-fund', '--loglevel=warn', tarball];
  const { stderr } = await promisify(execFile)('npm', args, { cwd: folder, env: environment });
  const warnings = stderr.split('\n').filter((line) => /EBADENGINE|deprecated|ERESOLVE/i.test(line));
  assert(warnings.length === 0, `The installation warns:\n${warnings.join('\n')}`);
  const list = await promisify(execFile)('npm', ['ls', '--all', '--parseable'], {
    cwd: folder,
    env: environment,
  });
  // The first line is the folder itself.
  const packages = list.stdout.trim().split('\n').slice(1);
  assert(packages.length <= MAX_PACKAGES, `The installation has ${packages.length} packages.`);
  process.stdout.write(`Installed ${packages.length} packages.\n`);
}

const EMBEDDING_PROGRAM = `import { readConfig, startApp } from 'fieldgraph';
const app = await startApp(readConfig({ PORT: '0', SANDBOX_SITES: '1', LOG_LEVEL: 'error' }));
console.log((await fetch(app.url + '/readyz')).status);
await app.stop();
process.exit(0);
`;

/** Starts the program in a separate process group and collects its output. */
function start(folder) {
  const env = { ...environment, PORT: '0', SANDBOX_PORT: '0' };
  const child = spawn('npx', ['fieldgraph'], { cwd: folder, env, detached: true });
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr']) {
    child[name].setEncoding('utf8').on('data', (text) => {
      output[name] += text;
    });
  }
  const exited = new Promise((resolve) => child.once('close', (code, signal) => resolve(code ?? signal)));
  return { child, output, exited };
}

function within(promise, ms, message) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(message)), ms);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

async function sendRequests(url) {
  const health = await fetch(`${url}/healthz`);
  assert(health.ok, `/healthz returned ${health.status}.`);
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      query: '{ sites(first: 2) { totalCount nodes { name devices { serialNumber } } } }',
    }),
  });
  const { data, errors } = await response.json();
  assert(!errors && data?.sites?.nodes?.length === 2, `GraphQL returned ${JSON.stringify(errors)}.`);
  const page = await (await fetch(`${url}/`, { headers: { accept: 'text/html' } })).text();
  const asset = /(?:src|href)="(\/explorer\/[^"]+\.(?:js|css))"/.exec(page)?.[1];
  assert(asset !== undefined, 'The explorer page references no file.');
  const file = await fetch(url + asset);
  assert(file.ok && (await file.text()).length > 0, `${asset} returned ${file.status}.`);
}

/** Log lines are JSON; warnings have at least level 40. */
function isWarning(line) {
  if (line.startsWith('{')) return ['warn', 'error'].includes(JSON.parse(line).level);
  return /warn|deprecat|error/i.test(line);
}

async function run(folder) {
  const app = start(folder);
  try {
    const url = await printedAddress(() => app.output.stdout + app.output.stderr, app.child);
    await sendRequests(url);
    // Signals the whole group, as a terminal does, because the shell of npx does not forward signals.
    process.kill(-app.child.pid, 'SIGTERM');
    await within(app.exited, STOP_MS, 'The program did not exit after SIGTERM.');
    const isStopped = await fetch(`${url}/healthz`).then(
      () => false,
      () => true,
    );
    assert(isStopped, 'The program still responds after SIGTERM.');
  } finally {
    stopGroup(app.child.pid);
  }
  const warnings = app.output.stderr.split('\n').filter(isWarning);
  assert(warnings.length === 0, `The program warns:\n${warnings.join('\n')}`);
}

/** A program of another package imports the gateway. */
async function embed(folder) {
  const file = path.join(folder, 'embed.mjs');
  await writeFile(file, EMBEDDING_PROGRAM);
  const { stdout } = await promisify(execFile)(process.execPath, [file], { cwd: folder, env: environment });
  assert(stdout.trim() === '200', `A program that embeds the gateway printed ${stdout}.`);
}

function stopGroup(pid) {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}

const folder = await mkdtemp(path.join(tmpdir(), 'fieldgraph-smoke-'));
try {
  const empty = path.join(folder, 'empty');
  await mkdir(empty);
  const tarball = await pack(folder);
  await install(tarball, empty);
  await run(empty);
  await embed(empty);
  process.stdout.write(`The installed package starts and responds on Node ${process.version}.\n`);
  await checkImage({ root: path.join(folder, 'image'), app: path.join(empty, 'node_modules'), sendRequests });
} finally {
  await rm(folder, { recursive: true, force: true });
}
