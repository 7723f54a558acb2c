/** Compiled queries under failures of every field: the same nulls, errors and paths as with graphql-js. */
import { setImmediate } from 'node:timers/promises';
import { parse } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createExecutor } from '../../../src/execution/executor.js';
import { type Written, writeCompiled, writePlain } from '../../support/execution/compareExecution.js';
import { createRandomOperation, type RandomOperation } from '../../support/execution/randomOperation.js';
import { discardObjects, oddSchema } from '../../support/execution/randomWorld.js';
import type { Random } from '../../support/random.js';
import { TEST_SEED } from '../../support/seed.js';

const OPERATIONS = 1000;
/** Set TEST_SEED to the seed of a failure. */
const FIRST_SEED = TEST_SEED;

const executor = createExecutor(oddSchema);

function scalars(type: string, _: string, random: Random): string | number {
  return type === 'Int' ? random.below(9) : random.pick(['a', 'b']);
}

/**
 * Seeds at which compiled queries left an unhandled rejection, which ends a process. graphql-js itself does so at
 * times.
 */
const unhandled: number[] = [];
let compiling: number | undefined;
const listeners = process.listeners('unhandledRejection');
beforeAll(() => {
  process.removeAllListeners('unhandledRejection');
  process.on('unhandledRejection', () => {
    if (compiling !== undefined) unhandled.push(compiling);
  });
});
afterAll(() => {
  process.removeAllListeners('unhandledRejection');
  for (const listener of listeners) process.on('unhandledRejection', listener);
});

/** A response does not wait for fields that no longer matter: their last turns come after it. */
async function settle(): Promise<void> {
  for (let level = 0; level < 10; level += 1) await setImmediate();
}

/** Throws if the results differ; the fragment cache writes the text of repeated objects from the third time on. */
async function compare(operation: RandomOperation, seed: number): Promise<Written> {
  const request = { document: parse(operation.query), variableValues: operation.variables };
  let written: Written | undefined;
  for (const turn of [0, 0, 1]) {
    const contextValue = { seed, turn };
    const plain = await writePlain({ schema: oddSchema, ...request, contextValue });
    await settle();
    compiling = seed;
    written = await writeCompiled(executor, { ...request, contextValue });
    await settle();
    compiling = undefined;
    expect(written.text, `seed ${seed}, turn ${turn}: ${JSON.stringify(operation)}`).toBe(plain.text);
  }
  return written as Written;
}

describe('a compiled query', () => {
  it('fails as graphql-js does', { timeout: 300_000 }, async () => {
    const size = { depth: 4, width: 5, size: 20 };
    const all: Written[] = [];
    for (let seed = FIRST_SEED; seed < FIRST_SEED + OPERATIONS; seed += 1) {
      all.push(await compare(createRandomOperation({ schema: oddSchema, scalars, ...size }, seed), seed));
      if (seed % 100 === 0) discardObjects();
    }
    expect(unhandled).toEqual([]);
    const withErrors = all.filter(({ isCompiled, errorCount }) => isCompiled && errorCount > 0);
    expect(withErrors.length).toBeGreaterThan(0.3 * OPERATIONS);
    const withData = all.filter(({ isCompiled, text }) => isCompiled && text.length > 100);
    expect(withData.length).toBeGreaterThan(0.3 * OPERATIONS);
  });

  it('fails alike over long lists, for which it has fast paths', { timeout: 600_000 }, async () => {
    const query = '{ many(count: 400) { id name __typename title count flag a: odd color texts ratio } }';
    for (let seed = FIRST_SEED; seed < FIRST_SEED + 10; seed += 1)
      await compare({ query, variables: {} }, seed);
  });
});
