/** The README's table of error codes is the union of `errors.ts`, no more and no less, in its words. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const read = (name: string) => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');

it('lists every code with what it means', () => {
  const inSource = [...read('src/errors.ts').matchAll(/\/\*\* (.+) \*\/\n {2}\| '(\w+)'/g)].map(
    ([, meaning = '', code = '']) => `${code}: ${meaning}`,
  );
  const inReadme = [...read('README.md').matchAll(/^\| `([A-Z_]+)` *\| (.*?) *\|$/gm)].map(
    ([, code = '', meaning = '']) => `${code}: ${meaning}`,
  );
  expect(inSource.length).toBeGreaterThan(25);
  expect(inSource).toHaveLength(read('src/errors.ts').match(/^ {2}\| '\w+'/gm)?.length ?? 0);
  expect(inReadme.sort()).toEqual(inSource.sort());
});
