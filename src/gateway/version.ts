/** The version of the gateway, and the version of Node.js that it needs. */
import { readFileSync } from 'node:fs';

interface PackageFile {
  /** For example `1.2.3`. */
  version: string;
  /** For example `>=20.19`. */
  engines: { node: string };
}

/** Two folders above `src/gateway`, `build/gateway` and `dist/server`. */
const packageFile = new URL('../../package.json', import.meta.url);

export function readVersion(): string {
  return readPackage().version;
}

/** The lowest supported version of Node.js, for example `20.19`, if this version is lower. */
export function findNeededNode(version: string): string | undefined {
  const needed = readPackage().engines.node.replace('>=', '');
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [minMajor = 0, minMinor = 0] = needed.split('.').map(Number);
  const isSupported = major > minMajor || (major === minMajor && minor >= minMinor);
  return isSupported ? undefined : needed;
}

function readPackage(): PackageFile {
  return JSON.parse(readFileSync(packageFile, 'utf8')) as PackageFile;
}
