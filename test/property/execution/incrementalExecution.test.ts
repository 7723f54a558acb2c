/** Random operations with `@defer` and `@stream` give the parts of graphql-js 17, under failures of every field. */
import { setImmediate } from 'node:timers/promises';
import { parse, validate } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createIncrementalExecutor } from '../../../src/execution/executor.js';
import {
  createIncrementalWriter,
  type IncrementalFormat,
} from '../../../src/execution/incremental/incrementalFormat.js';
import { incrementalRules } from '../../../src/graphql/documents/incrementalRules.js';
import { addDirectives } from '../../support/execution/incrementalOperation.js';
import {
  executeReference,
  type JsonResult,
  toReferenceSchema,
} from '../../support/execution/incrementalReference.js';
import { type MergedResponse, mergeParts } from '../../support/execution/mergeParts.js';
import { createRandomOperation, type RandomOperation } from '../../support/execution/randomOperation.js';
import { discardObjects, oddSchema } from '../../support/execution/randomWorld.js';
import type { Random } from '../../support/random.js';
import { TEST_SEED } from '../../support/seed.js';

/** INCREMENTAL_OPERATIONS=5000 compares as many operations. */
const OPERATIONS = Number(process.env['INCREMENTAL_OPERATIONS'] || '300');

const executeIncrementally = createIncrementalExecutor(oddSchema, { minBatchIntervalMs: 0 });
const referenceSchema = toReferenceSchema(oddSchema);

function scalars(type: string, _: string, random: Random): string | number {
  return type === 'Int' ? random.below(9) : random.pick(['a', 'b']);
}

function toOperation(seed: number): RandomOperation {
  const size = { depth: 4, width: 5, size: 20 };
  const operation = seed % 4 === 0 ? 'mutation' : 'query';
  const choices = { schema: oddSchema, scalars, operation, ...size } as const;
  return addDirectives(oddSchema, createRandomOperation(choices, seed), seed);
}

async function executeParts(
  { query, variables }: RandomOperation,
  contextValue: unknown,
  format: IncrementalFormat,
): Promise<JsonResult[]> {
  const request = { document: parse(query), variableValues: variables, contextValue };
  const executed = await executeIncrementally(request, format);
  if (!executed) return [];
  const writer = createIncrementalWriter(format, (errors) => errors.map((error) => error.toJSON()));
  const { result, later } = executed;
  const initial = { ...result, ...(later && writer.initial(later.announced)) };
  const results = [JSON.parse(JSON.stringify(initial)) as JsonResult];
  for (let batch = await later?.next(); batch; batch = await later?.next()) {
    const text = writer.later(batch, {});
    if (text !== undefined) results.push(JSON.parse(text) as JsonResult);
  }
  return results;
}

/** Undefined if graphql-js 17 itself breaks a rule: it completes a list twice that two fragments share. */
function mergeReference(results: readonly JsonResult[]): MergedResponse | undefined {
  try {
    return mergeParts(results);
  } catch {
    return undefined;
  }
}

/** Failed lists leave promises without a handler, in graphql-js too. */
const listeners = process.listeners('unhandledRejection');
beforeAll(() => {
  process.removeAllListeners('unhandledRejection');
  process.on('unhandledRejection', () => undefined);
});
afterAll(() => {
  process.removeAllListeners('unhandledRejection');
  for (const listener of listeners) process.on('unhandledRejection', listener);
});

async function settle(): Promise<void> {
  for (let level = 0; level < 10; level += 1) await setImmediate();
}

/** Some seeds announce few parts: further operations are then generated until enough parts are compared. */
function needsMore(count: number, announced: number, mutationsInParts: number): boolean {
  const hasEnough = announced > OPERATIONS && mutationsInParts > OPERATIONS / 20;
  return count < OPERATIONS || (!hasEnough && count < 2 * OPERATIONS);
}

describe('an operation in parts', () => {
  it('has the parts of graphql-js 17', { timeout: 600_000 }, async () => {
    let brokenReferences = 0;
    const counts = { announced: 0, failed: 0 };
    let mutationsInParts = 0;
    for (let count = 0; needsMore(count, counts.announced, mutationsInParts); count += 1) {
      const seed = TEST_SEED + count;
      const operation = toOperation(seed);
      const description = `seed ${seed}: ${operation.query}`;
      expect(validate(oddSchema, parse(operation.query), incrementalRules), description).toEqual([]);
      const contextValue = { seed, turn: 0 };
      const reference = await executeReference(referenceSchema, operation, contextValue);
      await settle();
      const results = await executeParts(operation, contextValue, 'v0.2');
      await settle();
      if (results.length === 0) continue;
      if (operation.query.startsWith('mutation') && results.length > 1) mutationsInParts += 1;
      const merged = mergeParts(results, counts);
      const expected = mergeReference(reference);
      if (expected) expect(merged, description).toEqual(expected);
      else brokenReferences += 1;
      if (seed % 100 === 0) discardObjects();
    }
    expect(brokenReferences).toBeLessThan(OPERATIONS / 50);
    expect(mutationsInParts).toBeGreaterThan(OPERATIONS / 20);
    expect(counts.announced).toBeGreaterThan(OPERATIONS);
    expect(counts.failed).toBeGreaterThan(OPERATIONS / 20);
  });
});
