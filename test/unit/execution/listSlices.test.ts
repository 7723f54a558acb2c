/** Long lists of objects are written in slices; what is written, and how loads share batches, does not change. */
import { buildSchema, execute, parse } from 'graphql';
import { describe, expect, it } from 'vitest';
import { createExecutor } from '../../../src/execution/executor.js';
import type { SerializedJson } from '../../../src/execution/text/serializedJson.js';

const schema = buildSchema(`
  type Query { sites: [Site!]! plain: [Int!]! other: [Site!]! }
  type Site { id: ID! devices: [Device!]! failing: Int loaded: Int required: Int! }
  type Device { id: ID! }
`);

/** 1,000 sites with two devices: 3,000 objects. */
function createRoot(count = 1000) {
  const batches: number[] = [];
  let batch: (() => void)[] = [];
  const load = () =>
    new Promise<number>((resolve) => {
      if (batch.length === 0) {
        setImmediate(() => {
          const ready = batch;
          batch = [];
          batches.push(ready.length);
          for (const end of ready) end();
        });
      }
      batch.push(() => resolve(1));
    });
  const sites = Array.from({ length: count }, (_, index) => ({
    id: String(index),
    devices: [{ id: `${index}a` }, { id: `${index}b` }],
    failing: () => {
      if (index % 100 === 7) throw new Error(`failed ${index}`);
      return index;
    },
    loaded: load,
    required: () => (index === 900 ? null : index),
  }));
  return { root: { sites, other: sites, plain: sites.map((_, index) => index) }, batches };
}

/** Counts the turns of the event loop until the result. */
async function run(query: string, { maxSliceObjects = 300, count = 1000, checkCancelled = () => {} } = {}) {
  const { root, batches } = createRoot(count);
  const executor = createExecutor(schema, { maxSliceObjects, checkCancelled });
  const request = { document: parse(query), rootValue: root, contextValue: {} };
  let turns = 0;
  let isEnded = false;
  const countTurn = () => {
    if (isEnded) return;
    turns += 1;
    setImmediate(countTurn);
  };
  setImmediate(countTurn);
  const { data, errors = [] } = await executor(request);
  isEnded = true;
  const expected = await execute({ schema, ...request, rootValue: createRoot(count).root });
  return {
    turns,
    batches,
    errors: errors.map(({ message }) => message),
    text: (data as unknown as SerializedJson | null)?.text ?? 'null',
    expectedText: JSON.stringify(expected.data),
    expectedErrors: (expected.errors ?? []).map(({ message }) => message),
  };
}

describe('a long list of objects', () => {
  it('is written in one slice for each 300 objects, byte for byte as by graphql-js', async () => {
    const { text, expectedText, turns } = await run('{ sites { id devices { id } } }');
    expect(text).toBe(expectedText);
    expect(turns).toBe(9);
  });

  it('is written at once if it fits into a slice, and so are lists of numbers', async () => {
    expect((await run('{ sites { id } }', { count: 299 })).turns).toBe(0);
    expect((await run('{ plain }')).turns).toBe(0);
  });

  it('shares its slices with other lists of the operation', async () => {
    const { text, expectedText, turns } = await run('{ sites { id } other { id devices { id } } }');
    expect(text).toBe(expectedText);
    expect(turns).toBeGreaterThanOrEqual(10);
    expect(turns).toBeLessThanOrEqual(14);
  });

  it('keeps errors, and null of non-null fields', async () => {
    const failing = await run('{ sites { id failing } }');
    expect(failing.text).toBe(failing.expectedText);
    expect(failing.errors).toEqual(failing.expectedErrors);
    expect(failing.errors).toHaveLength(10);
    const required = await run('{ sites { id required } }');
    expect(required.text).toBe('null');
    expect(required.errors).toEqual(required.expectedErrors);
  });

  it('begins all loads of its items in one turn', async () => {
    const { text, expectedText, batches } = await run('{ sites { id loaded } }');
    expect(text).toBe(expectedText);
    expect(batches).toEqual([1000]);
  });

  it('is not completed after the cancellation of its operation', async () => {
    let slices = 0;
    const checkCancelled = () => {
      slices += 1;
      if (slices === 2) throw new Error('cancelled');
    };
    const { errors } = await run('{ sites { id devices { id } } }', { checkCancelled });
    expect(errors).toEqual(['cancelled']);
    expect(slices).toBe(2);
  });
});
