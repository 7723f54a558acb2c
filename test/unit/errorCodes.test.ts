/** The error codes in `docs/errors.md` and in the SDL equal the union in `src/errors.ts`, word for word. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const read = (name: string) => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');

const inSource = [...read('src/errors.ts').matchAll(/\/\*\* (.+) \*\/\n {2}\| '(\w+)'/g)].map(
  ([, meaning = '', code = '']) => `${code}: ${meaning}`,
);

it('docs/errors.md documents every error code with its meaning', () => {
  const inManual = [...read('docs/errors.md').matchAll(/^\| `([A-Z_]+)` *\| (.*?) *\| .+ \|$/gm)].map(
    ([, code = '', meaning = '']) => `${code}: ${meaning}`,
  );
  expect(inSource.length).toBeGreaterThan(25);
  expect(inSource).toHaveLength(read('src/errors.ts').match(/^ {2}\| '\w+'/gm)?.length ?? 0);
  expect(inManual.sort()).toEqual([...inSource].sort());
});

it('the enum ErrorCode has every error code with its meaning', () => {
  const inSchema = [...read('schema/ErrorCode.graphql').matchAll(/^ {2}"(.+)"\n {2}(\w+)$/gm)].map(
    ([, meaning = '', code = '']) => `${code}: ${meaning}`,
  );
  expect(inSchema).toEqual(inSource);
});
