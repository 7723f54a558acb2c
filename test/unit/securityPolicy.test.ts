/** Every test that SECURITY.md and docs/bounds.md name exists. */
import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const root = new URL('../../', import.meta.url);

it.each([
  ['SECURITY.md', 15],
  ['docs/bounds.md', 40],
])('%s names only tests that exist', (page, least) => {
  const text = readFileSync(new URL(page, root), 'utf8');
  const named = [...text.matchAll(/`(test\/[^`]+)`/g)].map(([, path = '']) => path);
  expect(named.length).toBeGreaterThan(least);
  expect(named.filter((path) => !existsSync(new URL(path, root)))).toEqual([]);
});
