/** Installs the packages of the rivals before their first measurement. */
import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';

/** Relative to `dist/bench/speed`. */
const directory = new URL('../../../bench/rivals/', import.meta.url);
const MAX_MS = 120_000;

/** Returns whether the packages are installed. False if npm failed, for example without a registry. */
export function installRivals(): boolean {
  if (isInstalled()) return true;
  const { status } = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: directory,
    stdio: ['ignore', 'ignore', 'inherit'],
    timeout: MAX_MS,
  });
  return status === 0;
}

/** npm writes this file last. */
function isInstalled(): boolean {
  const changedAt = (name: string) =>
    statSync(new URL(name, directory), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return changedAt('node_modules/.package-lock.json') >= changedAt('package-lock.json');
}
