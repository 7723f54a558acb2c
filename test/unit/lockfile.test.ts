/**
 * The lockfile pins every package: exact versions, integrity hashes, no registry address, no known malicious version.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { admitsNode, auditLockfile, installedPackages, type Lockfile } from '../support/lockfile.js';

function readJson<Content>(name: string): Content {
  return JSON.parse(readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8'));
}

const lockfile = readJson<Lockfile>('package-lock.json');
const sound = { version: '1.0.0', integrity: `sha512-${'a'.repeat(86)}==` };

describe.each(['', 'bench/rivals/'])('%spackage-lock.json', (directory) => {
  const { lockfileVersion, packages } = readJson<Lockfile>(`${directory}package-lock.json`);

  it('has no defects', () => {
    expect(lockfileVersion).toBe(3);
    expect(Object.keys(packages).length).toBeGreaterThan(100);
    expect(auditLockfile({ lockfileVersion, packages })).toEqual([]);
  });

  it('matches its package.json', () => {
    const { dependencies = {}, devDependencies = {} } = readJson<Lockfile['packages'][string]>(
      `${directory}package.json`,
    );
    expect({ dependencies: {}, devDependencies: {}, ...packages[''] }).toMatchObject({
      dependencies,
      devDependencies,
    });
  });
});

describe('package-lock.json', () => {
  it('pins a graphql without the quadratic check of overlapping fields, and an Apollo Server without the large bodies', () => {
    const minor = Number(lockfile.packages['node_modules/graphql']?.version?.split('.')[1]);
    expect(lockfile.packages['node_modules/graphql']?.version).toMatch(/^16\./);
    expect(minor).toBeGreaterThanOrEqual(15);
  });
});

describe('the installed package', () => {
  const { engines, devDependencies, overrides } = readJson<{
    engines: { node: string };
    devDependencies: Record<string, string>;
    overrides: Record<string, unknown>;
  }>('package.json');
  const oldest = engines.node.replace('>=', '');

  it('installs and runs on the oldest Node that package.json promises, tools of development included', () => {
    const refusing = Object.entries(lockfile.packages)
      .filter(([, { engines: wanted }]) => !admitsNode(wanted?.node ?? '*', oldest))
      .map(([path, { engines: wanted }]) => `${path} wants Node ${wanted?.node}`);
    expect(refusing).toEqual([]);
  });

  // Overrides apply to this project alone: an installed package gets its dependencies without them.
  it('needs no overrides: they concern development, or keep a version that its dependencies accept anyway', () => {
    const entries = Object.entries(overrides);
    const nested = entries.filter(([, override]) => typeof override === 'object').map(([name]) => name);
    expect(Object.keys(devDependencies)).toEqual(expect.arrayContaining(nested));
    const wanted = entries.flatMap(([name, version]) =>
      Object.values(lockfile.packages)
        .filter(({ dev, dependencies }) => !dev && dependencies?.[name] !== undefined)
        .map(({ dependencies }) => ({ range: dependencies?.[name] ?? '', version: String(version) })),
    );
    expect(wanted.length).toBeGreaterThan(0);
    expect(wanted.filter(({ range, version }) => !admitsNode(range, version))).toEqual([]);
  });

  it('needs at most 60 packages where @apollo/server and axios are bundled', () => {
    const wanted = Object.keys(lockfile.packages['']?.dependencies ?? {});
    const rest = wanted.filter((name) => !['@apollo/server', 'axios'].includes(name));
    expect(wanted.length - rest.length).toBe(2);
    const packages = installedPackages(lockfile, rest);
    expect([...packages].filter((place) => lockfile.packages[place] === undefined)).toEqual([]);
    expect(packages.size).toBeGreaterThan(rest.length);
    expect(packages.size).toBeLessThanOrEqual(60);
  });

  it('comes with at most 160 packages, of which @apollo/server alone takes 113', () => {
    const production = Object.entries(lockfile.packages).filter(([path, { dev }]) => path !== '' && !dev);
    const named = new Set(production.map(([path]) => path).filter((path) => !path.includes('@libsql/')));
    expect(named.size).toBeLessThanOrEqual(160);
  });

  it.each([
    ['>=22.15.0', false],
    ['>=16.0.0', true],
    ['>= 20', true],
    ['20 || >=22', true],
    ['^18.0.0 || >=22', false],
    ['^20.20.0', false],
    ['>=18 <20', false],
    ['~20.19.0', true],
    ['>= 10.x', true],
  ])('reads the range %s', (range, isAdmitted) => {
    expect(admitsNode(range, '20.19.0')).toBe(isAdmitted);
  });
});

describe('the lockfile check', () => {
  it.each([
    [
      'node_modules/a',
      { ...sound, resolved: 'https://elsewhere.example/a.tgz' },
      'names where it comes from',
    ],
    [
      'node_modules/a',
      { ...sound, resolved: 'git+ssh://git@example.com/a.git#0' },
      'names where it comes from',
    ],
    ['node_modules/a', { version: '1.0.0' }, 'has no integrity'],
    ['node_modules/a', { ...sound, integrity: 'sha1-aaaa' }, 'has a weak integrity'],
    ['node_modules/a', { ...sound, link: true }, 'is a link'],
    ['node_modules/a/node_modules/axios', { ...sound, version: '1.14.1' }, '1.14.1 is malicious'],
    ['node_modules/axios', { ...sound, version: '0.30.4' }, '0.30.4 is malicious'],
  ])('reports %s %o', (path, locked, problem) => {
    expect(auditLockfile({ lockfileVersion: 3, packages: { [path]: locked } })).toEqual([
      `${path}: ${problem}`,
    ]);
  });

  it.each([
    '^1.0.0',
    '~1.0.0',
    '1',
    'latest',
    'git+https://example.com/a.git',
    'file:../a',
    'npm:b@^1.0.0',
    '*',
  ])('reports the wanted version %s', (version) => {
    const packages = { '': { dependencies: { a: version } } };
    expect(auditLockfile({ lockfileVersion: 3, packages })).toEqual([`a: ${version} is no exact version`]);
  });
});
