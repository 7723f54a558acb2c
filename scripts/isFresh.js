/** Tells whether the output of a build step is newer than its inputs. */
import { readdir, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** Lists a folder with all its files and folders. The date of a folder changes when a file is removed. */
export async function listTree(folder) {
  const entries = await readdir(folder, { recursive: true });
  return [folder, ...entries.map((entry) => path.join(folder, entry))];
}

async function modifiedAt(file) {
  return (await stat(file)).mtimeMs;
}

/** @param stamp File of the output, see `writeStamp`. A build without it is not fresh. */
export async function isFresh(stamp, inputs) {
  const builtAt = await modifiedAt(stamp).catch(() => 0);
  return Math.max(...(await Promise.all(inputs.map(modifiedAt)))) < builtAt;
}

/** Written last, with the start of the build as its date, so that an input edited during the build counts as newer. */
export async function writeStamp(stamp, startedAt) {
  await writeFile(stamp, '');
  await utimes(stamp, startedAt, startedAt);
}
