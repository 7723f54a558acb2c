/** The lockfile pins all that is installed: exact versions, checked contents, no place named, none known to be malicious. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { auditLockfile, type Lockfile } from '../support/lockfile.js';

function readJson<Content>(name: string): Content {
  return JSON.parse(readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8'));
}

const lockfile = readJson<Lockfile>('package-lock.json');
const sound = { version: '1.0.0', integrity: `sha512-${'a'.repeat(86)}==` };

describe.each(['', 'bench/rivals/'])('%spackage-lock.json', (directory) => {
  const { lockfileVersion, packages } = readJson<Lockfile>(`${directory}package-lock.json`);

  it('has nothing wrong with it', () => {
    expect(lockfileVersion).toBe(3);
    expect(Object.keys(packages).length).toBeGreaterThan(100);
    expect(auditLockfile({ lockfileVersion, packages })).toEqual([]);
  });

  it('is of its package.json', () => {
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

describe('the audit', () => {
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
  ])('finds fault with %s %o', (path, locked, problem) => {
    expect(auditLockfile({ lockfileVersion: 3, packages: { [path]: locked } })).toEqual([
      `${path}: ${problem}`,
    ]);
  });

  it.each(['^1.0.0', '~1.0.0', '1', 'latest', 'git+https://example.com/a.git', 'file:../a', '*'])(
    'finds fault with the wanted version %s',
    (version) => {
      const packages = { '': { dependencies: { a: version } } };
      expect(auditLockfile({ lockfileVersion: 3, packages })).toEqual([`a: ${version} is no exact version`]);
    },
  );
});
