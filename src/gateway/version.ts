/** The version of the gateway, and the version of Node.js that it needs. */
import { readFileSync } from 'node:fs';

interface PackageFile {
  version: string;
  /** For example `>=20.19`. */
  engines: { node: string };
}

/** Two folders above both `src/gateway` and `dist/gateway`. */
const packageFile = new URL('../../package.json', import.meta.url);

export function readVersion(): string {
  return readPackage().version;
}

/** The lowest supported version, for example `20.19`. */
export function readMinNodeVersion(): string {
  return readPackage().engines.node.replace('>=', '');
}

function readPackage(): PackageFile {
  return JSON.parse(readFileSync(packageFile, 'utf8')) as PackageFile;
}
