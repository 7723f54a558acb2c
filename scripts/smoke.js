/**
 * Packs the package, installs it into an empty folder, starts it as its users do, asks it something and stops it. Fails
 * on any warning: of the installation's engines and packages, and of the running program.
 */
import { execFile, spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const project = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
/** Warnings of npm about the machine's own configuration are not the package's. */
const environment = { ...process.env, npm_config_loglevel: 'error' };
const START_MS = 60_000;
const STOP_MS = 15_000;

const NEEDED = [
  ...['dist/main.js', 'dist/explorer/index.html', 'schema/Query.graphql', 'docs/configuration.md'],
  ...['README.md', 'LICENSE', 'CHANGELOG.md', 'package.json'],
];
const UNWANTED = /^(src|test|bench|scripts|explorer|dist\/bench|dist\/test)\/|\.tsbuildinfo$|\.map$/;

function expectThat(isTrue, message) {
  if (!isTrue) throw new Error(message);
}

async function pack(folder) {
  const args = ['pack', '--json', '--pack-destination', folder];
  const { stdout } = await promisify(execFile)('npm', args, { cwd: project, env: environment });
  // npm 11 answers a list, later versions an object by name; the scripts it runs may print before.
  const parsed = JSON.parse(stdout.slice(stdout.search(/^[[{]/m)));
  const [packed] = Object.values(parsed);
  const files = packed.files.map((file) => file.path);
  const missing = NEEDED.filter((name) => !files.includes(name));
  expectThat(missing.length === 0, `The package lacks ${missing.join(', ')}.`);
  const unwanted = files.filter((name) => UNWANTED.test(name));
  expectThat(unwanted.length === 0, `The package holds ${unwanted.slice(0, 5).join(', ')}.`);
  process.stdout.write(`Packed ${files.length} files, ${Math.round(packed.size / 1024)} KB.\n`);
  return path.join(folder, path.basename(packed.filename));
}

async function install(tarball, folder) {
  const args = ['install', '--omit=dev', '--no-audit', '--no-fund', '--loglevel=warn', tarball];
  const { stderr } = await promisify(execFile)('npm', args, { cwd: folder, env: environment });
  const warnings = stderr.split('\n').filter((line) => /EBADENGINE|deprecated|ERESOLVE/i.test(line));
  expectThat(warnings.length === 0, `The installation warns:\n${warnings.join('\n')}`);
}

function findFreePort() {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

/** The program in a process group of its own, and all it prints. */
function start(folder, port) {
  const env = { ...environment, PORT: String(port), SANDBOX_PORT: '0' };
  const child = spawn('npx', ['fieldgraph'], { cwd: folder, env, detached: true });
  const printed = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr']) {
    child[name].setEncoding('utf8').on('data', (text) => {
      printed[name] += text;
    });
  }
  const ended = new Promise((resolve) => child.once('close', (code, signal) => resolve(code ?? signal)));
  return { child, printed, ended };
}

function within(promise, ms, message) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(message)), ms);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

async function untilItAnswers(url, app) {
  const end = Date.now() + START_MS;
  let hasEnded = false;
  app.ended.then(() => {
    hasEnded = true;
  });
  for (;;) {
    const response = await fetch(`${url}/readyz`).catch(() => undefined);
    if (response?.ok) return;
    expectThat(!hasEnded && Date.now() < end, `It did not start:\n${app.printed.stderr}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function ask(url) {
  const health = await fetch(`${url}/healthz`);
  expectThat(health.ok, `/healthz answered ${health.status}.`);
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      query: '{ sites(first: 2) { totalCount nodes { name devices { serialNumber } } } }',
    }),
  });
  const { data, errors } = await response.json();
  expectThat(!errors && data?.sites?.nodes?.length === 2, `GraphQL answered ${JSON.stringify(errors)}.`);
  const page = await (await fetch(`${url}/`, { headers: { accept: 'text/html' } })).text();
  const asset = /(?:src|href)="(\/explorer\/[^"]+\.(?:js|css))"/.exec(page)?.[1];
  expectThat(asset !== undefined, 'The explorer page names no file.');
  const file = await fetch(url + asset);
  expectThat(file.ok && (await file.text()).length > 0, `${asset} answered ${file.status}.`);
}

/** A line of the log is JSON; a warning in it has at least level 40. */
function isWarning(line) {
  if (line.startsWith('{')) return JSON.parse(line).level >= 40;
  return /warn|deprecat|error/i.test(line);
}

async function run(folder) {
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const app = start(folder, port);
  try {
    await untilItAnswers(url, app);
    await ask(url);
    // As a terminal does: npx waits for the program in a shell, and a shell passes no signal on.
    process.kill(-app.child.pid, 'SIGTERM');
    await within(app.ended, STOP_MS, 'It did not end on SIGTERM.');
    const isGone = await fetch(`${url}/healthz`).then(
      () => false,
      () => true,
    );
    expectThat(isGone, 'It still answers after SIGTERM.');
  } finally {
    stopGroup(app.child.pid);
  }
  const warnings = app.printed.stderr.split('\n').filter(isWarning);
  expectThat(warnings.length === 0, `The program warns:\n${warnings.join('\n')}`);
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
  await install(await pack(folder), empty);
  await run(empty);
  process.stdout.write(`The installed package starts and answers on Node ${process.version}.\n`);
} finally {
  await rm(folder, { recursive: true, force: true });
}
