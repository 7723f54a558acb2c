/**
 * Assembles the root file system of the runtime image without a container runtime: the Node.js binary, the shared libraries
 * that it and the native modules need, and the installed package. Starts the gateway in it, as a non-root user and
 * with a read-only root if the machine allows that (requires root on Linux), and checks that there is no shell and
 * no npm.
 */
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, copyFileSync, cpSync, mkdirSync, readdirSync, realpathSync } from 'node:fs';
import path from 'node:path';

const NODE = '/nodejs/bin/node';
const APP = '/app/node_modules/fieldgraph/dist/main.js';
const USER = '65532';
const START_MS = 60_000;

/**
 * @param root Folder to create.
 * @param app Installed `node_modules` with the package in it.
 * @param sendRequests Called with the address of the started gateway; rejects if it does not work.
 */
export async function checkImage({ root, app, sendRequests }) {
  if (process.platform !== 'linux' || process.getuid?.() !== 0 || !canUnshare()) {
    process.stdout.write('The image was not assembled: this needs root on Linux.\n');
    return;
  }
  assemble(root, app);
  const names = new Set(listFiles(root).map((file) => path.basename(file)));
  const forbidden = ['sh', 'bash', 'npm', 'npx', 'busybox'].filter((name) => names.has(name));
  assert(forbidden.length === 0, `The image contains ${forbidden.join(', ')}.`);
  await start(root, sendRequests);
  process.stdout.write(
    'The image starts from a read-only root without a shell, as a user other than root.\n',
  );
}

function canUnshare() {
  try {
    execFileSync('unshare', ['--mount', 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

function assemble(root, app) {
  for (const folder of ['nodejs/bin', 'app', 'tmp', 'dev', 'etc'])
    mkdirSync(path.join(root, folder), { recursive: true });
  // By default, other users cannot enter folders for temporary files.
  chmodSync(path.dirname(root), 0o755);
  cpSync(app, path.join(root, 'app/node_modules'), { recursive: true });
  copyFileSync(realpathSync(process.execPath), path.join(root, NODE));
  const natives = listFiles(path.join(root, 'app')).filter((file) => file.endsWith('.node'));
  for (const binary of [path.join(root, NODE), ...natives.filter((file) => !file.includes('musl'))]) {
    for (const library of sharedLibraries(binary)) {
      const target = path.join(root, library);
      mkdirSync(path.dirname(target), { recursive: true });
      copyFileSync(realpathSync(library), target);
    }
  }
}

function sharedLibraries(binary) {
  const output = execFileSync('ldd', [binary], { encoding: 'utf8' });
  return [...output.matchAll(/(?:=> )?(\/\S+) \(0x/g)].map(([, file]) => file);
}

function listFiles(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
}

async function start(root, sendRequests) {
  // In a separate mount namespace: bind the root onto itself, make it read-only, add the devices of a container.
  const script = [
    `mount --bind "${root}" "${root}"`,
    `mount --bind /dev "${root}/dev"`,
    `mount -o remount,ro,bind "${root}"`,
    `! touch "${root}/tmp/x" 2>/dev/null`,
    `exec chroot --userspec=${USER}:${USER} "${root}" ${NODE} ${APP}`,
  ].join(' && ');
  const env = {
    PATH: process.env.PATH,
    NODE_ENV: 'production',
    PORT: '0',
    SANDBOX_PORT: '0',
    SANDBOX_SITES: '3',
  };
  const child = spawn('unshare', ['--mount', 'sh', '-c', script], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
  }
  const exited = new Promise((resolve) => child.once('close', resolve));
  try {
    await sendRequests(await printedAddress(() => output, child));
    child.kill('SIGTERM');
    assert((await exited) === 0, `The gateway in the image did not stop:\n${output}`);
  } finally {
    child.kill('SIGKILL');
  }
}

/** The address that the gateway logs when it listens. Rejects if it exits before. */
export async function printedAddress(readOutput, child) {
  const end = Date.now() + START_MS;
  for (;;) {
    const url = /"url":"(http:[^"]+)".*"msg":"Listening"/.exec(readOutput())?.[1];
    if (url !== undefined) return url;
    assert(child.exitCode === null && Date.now() < end, `The gateway did not start:\n${readOutput()}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
