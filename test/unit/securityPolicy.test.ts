/** Every test that SECURITY.md names exists. */
import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const root = new URL('../../', import.meta.url);

it('SECURITY.md names only tests that exist', () => {
  const policy = readFileSync(new URL('SECURITY.md', root), 'utf8');
  const named = [...policy.matchAll(/`(test\/[\w/]+\.test\.ts)`/g)].map(([, path = '']) => path);
  expect(named.length).toBeGreaterThan(15);
  expect(named.filter((path) => !existsSync(new URL(path, root)))).toEqual([]);
});
