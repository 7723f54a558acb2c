/** The version of the gateway. */
import { readFileSync } from 'node:fs';

/** Two folders above both `src/gateway` and `dist/gateway`. */
const packageFile = new URL('../../package.json', import.meta.url);

export function readVersion(): string {
  const { version } = JSON.parse(readFileSync(packageFile, 'utf8')) as { version: string };
  return version;
}
