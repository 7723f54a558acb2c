/** docs/internals.md names existing files, and lists every import of an internal module of a dependency. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const root = new URL('../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');

const rows = read('docs/internals.md')
  .split('\n')
  .filter((line) => line.startsWith('| ') && !/^\| (Coupling|---)/.test(line))
  .map((line) => {
    const [coupling = '', files = '', , tests = ''] = line.split('|').slice(1);
    return { coupling: coupling.trim(), files: codeIn(files), tests: codeIn(tests) };
  });

function codeIn(text: string): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
}

/** Imports such as `graphql/jsutils/inspect.js`. Documented entry points have no file extension. */
function internalImports(file: string): string[] {
  const imports = /(?:from |import\(|requireModule\()'((?:@[\w-]+\/)?[\w-]+\/[^']+\.[cm]?js)'/g;
  return [...read(file).matchAll(imports)].map(([, name = '']) => name);
}

describe('docs/internals.md', () => {
  it.each(rows)('names existing files for $coupling', ({ files, tests }) => {
    expect(files).not.toEqual([]);
    expect(tests).not.toEqual([]);
    const paths = [...files, ...tests].filter((path) => !path.startsWith('npm run '));
    expect(paths.filter((path) => !existsSync(new URL(path, root)))).toEqual([]);
  });

  it('lists every import of an internal module', () => {
    const sources = readdirSync(new URL('src/', root), { recursive: true, encoding: 'utf8' });
    const found = sources
      .filter((name) => name.endsWith('.ts'))
      .flatMap((name) => internalImports(`src/${name}`).map((module) => ({ file: `src/${name}`, module })));
    const isListed = ({ file, module }: (typeof found)[number]) =>
      rows.some(({ coupling, files }) => codeIn(coupling).includes(module) && files.includes(file));
    expect(found.length).toBeGreaterThan(0);
    expect(found.filter((use) => !isListed(use))).toEqual([]);
  });
});
