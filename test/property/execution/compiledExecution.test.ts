/**
 * Thousands of random operations over the whole schema: compiled queries return the result of graphql-js, byte for
 * byte.
 */
import { parse } from 'graphql';
import { describe, expect, it } from 'vitest';
import { createExecutor } from '../../../src/execution/executor.js';
import type { Context } from '../../../src/graphql/context.js';
import { createSchema } from '../../../src/graphql/schema.js';
import { type Written, writeCompiled, writePlain } from '../../support/execution/compareExecution.js';
import { createExecutionWorld } from '../../support/execution/executionWorld.js';
import { createRandomOperation } from '../../support/execution/randomOperation.js';
import { TEST_SEED } from '../../support/seed.js';

const OPERATIONS = 4000;
/** Runs them concurrently, like the operations of several callers. */
const AT_ONCE = 20;
/** Set TEST_SEED to the seed of a failure. */
const FIRST_SEED = TEST_SEED;

const schema = createSchema();
const executor = createExecutor(schema, {
  dependenciesOf: (context) => (context as Context).sources.dependencies,
});
const world = await createExecutionWorld(1);

async function compare(seed: number): Promise<Written> {
  const { scalars, createContext } = world;
  const size = { depth: 4, width: 4, size: 10 };
  const { query, variables } = createRandomOperation({ schema, scalars, ...size }, seed);
  const request = { document: parse(query), variableValues: variables };
  const [plain, compiled] = await Promise.all([
    writePlain({ schema, ...request, contextValue: createContext() }),
    writeCompiled(executor, { ...request, contextValue: createContext() }),
  ]);
  const operation = `seed ${seed}: ${query}\n${JSON.stringify(variables)}`;
  expect(compiled.text, operation).toBe(plain.text);
  // The fragment cache writes the text of repeated objects from the third time on.
  for (let time = 2; seed % 10 === 0 && time <= 4; time += 1) {
    const again = await writeCompiled(executor, { ...request, contextValue: createContext() });
    expect(again.text, `time ${time} of ${operation}`).toBe(plain.text);
  }
  return compiled;
}

describe('a compiled query', () => {
  it('returns the result of graphql-js', { timeout: 600_000 }, async () => {
    const all: Written[] = [];
    for (let seed = FIRST_SEED; seed < FIRST_SEED + OPERATIONS; seed += AT_ONCE) {
      const seeds = Array.from({ length: AT_ONCE }, (_, index) => seed + index);
      all.push(...(await Promise.all(seeds.map(compare))));
    }
    // Ensures that enough is compared: with invalid variables nothing is executed.
    const compiled = all.filter(({ isCompiled }) => isCompiled);
    expect(compiled.length).toBeGreaterThan(0.85 * OPERATIONS);
    expect(compiled.filter(({ errorCount }) => errorCount > 0).length).toBeGreaterThan(0.1 * OPERATIONS);
    const whole = compiled.filter(({ text, errorCount }) => errorCount === 0 && text.length > 100);
    expect(whole.length).toBeGreaterThan(0.2 * OPERATIONS);
  });
});
