/** The rules for a lockfile, so that an install fetches exactly the reviewed packages. */

interface LockedPackage {
  version?: string;
  resolved?: string;
  integrity?: string;
  link?: boolean;
  inBundle?: boolean;
  hasInstallScript?: boolean;
  dev?: boolean;
  engines?: { node?: string };
}

export interface Lockfile {
  lockfileVersion: number;
  packages: Record<
    string,
    LockedPackage & { dependencies?: Record<string, string>; devDependencies?: Record<string, string> }
  >;
}

/** Published from stolen accounts of their maintainers. */
const MALICIOUS: Readonly<Record<string, readonly string[]>> = { axios: ['1.14.1', '0.30.4'] };

/** A version, or another name for a package in that version, such as `npm:graphql@17.0.0`. */
const EXACT_VERSION = /^(npm:(@[\w-]+\/)?[\w.-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/;

/** The paths of packages and of their dependencies, as `npm ls` lists them: without packages for other platforms. */
export function installedPackages({ packages }: Lockfile, names: readonly string[]): ReadonlySet<string> {
  const found = new Set<string>();
  const pending = names.map((name) => `node_modules/${name}`);
  for (let place = pending.pop(); place !== undefined; place = pending.pop()) {
    if (found.has(place)) continue;
    found.add(place);
    const parent = place;
    const needed = Object.keys(packages[place]?.dependencies ?? {});
    pending.push(...needed.map((name) => resolvePath(packages, parent, name)));
  }
  return found;
}

/** The nearest parent folder that has the package. */
function resolvePath(packages: Lockfile['packages'], from: string, name: string): string {
  for (let folder = from; folder !== ''; folder = folder.slice(0, folder.lastIndexOf('node_modules/'))) {
    const place = `${folder.replace(/\/$/, '')}/node_modules/${name}`;
    if (packages[place] !== undefined) return place;
  }
  return `node_modules/${name}`;
}

/** The violations, a line each. */
export function auditLockfile(lockfile: Lockfile): string[] {
  const { '': root = {}, ...packages } = lockfile.packages;
  return [...auditRoot(root), ...Object.entries(packages).flatMap(([path, one]) => auditPackage(path, one))];
}

function auditRoot(root: Lockfile['packages'][string]): string[] {
  const wanted = Object.entries({ ...root.dependencies, ...root.devDependencies });
  return wanted
    .filter(([, version]) => !EXACT_VERSION.test(version))
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

type Version = readonly [number, number, number];

function readVersion(text: string): Version {
  const [major = 0, minor = 0, patch = 0] = text.split('.').map((part) => Number.parseInt(part, 10) || 0);
  return [major, minor, patch];
}

function compare(a: Version, b: Version): number {
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2];
}

function admitsOne(comparator: string, version: Version): boolean {
  const [, operator = '', text = ''] = /^(\^|~|>=|<=|>|<|=)?v?(\d.*)$/.exec(comparator) ?? [];
  if (text === '') throw new Error(`Unknown range: ${comparator}`);
  const limit = readVersion(text);
  const order = compare(version, limit);
  if (operator === '>=') return order >= 0;
  if (operator === '>') return order > 0;
  if (operator === '<=') return order <= 0;
  if (operator === '<') return order < 0;
  const isSameMinor = text.split('.').length < 2 || operator === '^' || version[1] === limit[1];
  return version[0] === limit[0] && isSameMinor && order >= 0;
}

/** Whether a range of `engines`, in the forms that packages use, admits a version of Node. */
export function admitsNode(range: string, version: string): boolean {
  return range.split('||').some((alternative) => {
    const comparators = alternative
      .replace(/(\^|~|>=|<=|>|<|=)\s+/g, '$1')
      .trim()
      .split(/\s+/);
    return comparators.every(
      (comparator) => comparator === '*' || admitsOne(comparator, readVersion(version)),
    );
  });
}
