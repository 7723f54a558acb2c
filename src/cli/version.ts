/** The version of the installed package. */
import { readFileSync } from 'node:fs';

/** Two folders above both `src/cli` and `dist/cli`. */
const packageFile = new URL('../../package.json', import.meta.url);

export function readVersion(): string {
  const { version } = JSON.parse(readFileSync(packageFile, 'utf8')) as { version: string };
  return version;
}
