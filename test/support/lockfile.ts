/** What a lockfile must be for an install to bring what was looked at, and nothing else. */

export interface LockedPackage {
  version?: string;
  resolved?: string;
  integrity?: string;
  link?: boolean;
  inBundle?: boolean;
  hasInstallScript?: boolean;
}

export interface Lockfile {
  lockfileVersion: number;
  packages: Record<
    string,
    LockedPackage & { dependencies?: Record<string, string>; devDependencies?: Record<string, string> }
  >;
}

/** Published by thieves of its maintainers' accounts. */
const MALICIOUS: Readonly<Record<string, readonly string[]>> = { axios: ['1.14.1', '0.30.4'] };

/** What is wrong, a line each. */
export function auditLockfile(lockfile: Lockfile): string[] {
  const { '': root = {}, ...packages } = lockfile.packages;
  return [...auditRoot(root), ...Object.entries(packages).flatMap(([path, one]) => auditPackage(path, one))];
}

function auditRoot(root: Lockfile['packages'][string]): string[] {
  const wanted = Object.entries({ ...root.dependencies, ...root.devDependencies });
  return wanted
    .filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
    .map(([name, version]) => `${name}: ${version} is no exact version`);
}

function auditPackage(
  path: string,
  { version = '', resolved, integrity, link, inBundle }: LockedPackage,
): string[] {
  const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
  const problems: string[] = [];
  if (link) problems.push('is a link');
  if (!integrity && !inBundle) problems.push('has no integrity');
  if (integrity && !/^sha512-[\w+/]+={0,2}$/.test(integrity)) problems.push('has a weak integrity');
  if (resolved !== undefined) problems.push('names where it comes from');
  if (!/^\d+\.\d+\.\d+/.test(version)) problems.push('has no version');
  if (MALICIOUS[name]?.includes(version)) problems.push(`${version} is malicious`);
  return problems.map((problem) => `${path}: ${problem}`);
}
