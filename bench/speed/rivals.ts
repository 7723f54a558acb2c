/** Installs what the rivals are made of, the first time that they are measured. */
import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';

/** From `dist/bench/speed`, where this file runs. */
const directory = new URL('../../../bench/rivals/', import.meta.url);
const MOST_MS = 120_000;

/** Whether they are there; false where they are not and no registry could be asked. */
export function installRivals(): boolean {
  if (isInstalled()) return true;
  const { status } = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: directory,
    stdio: ['ignore', 'ignore', 'inherit'],
    timeout: MOST_MS,
  });
  return status === 0;
}

/** npm writes this file last, when all is there. */
function isInstalled(): boolean {
  const changedAt = (name: string) =>
    statSync(new URL(name, directory), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return changedAt('node_modules/.package-lock.json') >= changedAt('package-lock.json');
}
