/** Long results are written in slices; what is written, and how loads share batches, does not change. */
import { buildSchema, execute, parse } from 'graphql';
import { describe, expect, it } from 'vitest';
import { createExecutor } from '../../../src/execution/executor.js';
import type { SerializedJson } from '../../../src/execution/text/serializedJson.js';
import { OperationTurns, scheduleBatch, TurnBudget } from '../../../src/lib/turnBudget.js';

const schema = buildSchema(`
  type Query { sites: [Site!]! plain: [Int!]! other: [Site!]! }
  type Site { id: ID! devices: [Device!]! failing: Int loaded: Int loadedDevices: [Device!]! shared: [Device!]! required: Int! }
  type Device { id: ID! loaded: Int }
`);

/** 1,000 sites with two devices: 3,000 objects. */
function createRoot(count = 1000, turns = new OperationTurns()) {
  const batches: number[] = [];
  function createLoader<Value>(value: Value) {
    let batch: (() => void)[] = [];
    return () =>
      new Promise<Value>((resolve) => {
        if (batch.length === 0) {
          scheduleBatch(turns, () => {
            const ready = batch;
            batch = [];
            batches.push(ready.length);
            for (const end of ready) end();
          });
        }
        batch.push(() => resolve(value));
      });
  }
  const load = createLoader(1);
  const loadDevices = createLoader([{ id: 'a', loaded: createLoader(2) }, { id: 'b' }]);
  const shared = [{ id: 'a' }];
  const sites = Array.from({ length: count }, (_, index) => ({
    id: String(index),
    devices: [{ id: `${index}a` }, { id: `${index}b` }],
    failing: () => {
      if (index % 100 === 7) throw new Error(`failed ${index}`);
      return index;
    },
    loaded: load,
    loadedDevices: loadDevices,
    shared,
    required: () => (index === 900 ? null : index),
  }));
  return { root: { sites, other: sites, plain: sites.map((_, index) => index) }, batches };
}

/**
 * The clock is read once for 64 objects and advances 1 ms at each reading: a turn has used its time after these
 * objects.
 */
const MAX_TURN_MS = 4;
const SLICE_OBJECTS = MAX_TURN_MS * 64;

/** Counts the turns of the event loop until the result. */
async function run(
  query: string,
  { count = 1000, checkCancelled = () => {}, isDivided = true, maxResultCharacters = 1e9 } = {},
) {
  let [nowMs, turnCount] = [0, 0];
  const turns = new OperationTurns(new TurnBudget({ maxTurnMs: MAX_TURN_MS, nowMs: () => nowMs++ }));
  const { root, batches } = createRoot(count, turns);
  const turnsOf = () => (isDivided ? turns : undefined);
  const executor = createExecutor(schema, { turnsOf, checkCancelled, maxResultCharacters });
  const request = { document: parse(query), rootValue: root, contextValue: {} };
  let isEnded = false;
  const countTurn = () => {
    if (isEnded) return;
    turnCount += 1;
    setImmediate(countTurn);
  };
  setImmediate(countTurn);
  const { data, errors = [] } = await executor(request);
  isEnded = true;
  const expected = await execute({ schema, ...request, rootValue: createRoot(count).root });
  return {
    turns: turnCount,
    batches,
    errors: errors.map(({ message }) => message),
    paths: errors.map(({ path }) => path),
    text: (data as unknown as SerializedJson | null)?.text ?? 'null',
    expectedText: JSON.stringify(expected.data),
    expectedErrors: (expected.errors ?? []).map(({ message }) => message),
  };
}

describe('a long list of objects', () => {
  it('is written in slices, each until its time is used up, byte for byte as by graphql-js', async () => {
    const { text, expectedText, turns } = await run('{ sites { id devices { id } } }');
    expect(text).toBe(expectedText);
    expect(turns).toBeGreaterThanOrEqual(Math.floor(3000 / (SLICE_OBJECTS + 64)));
    expect(turns).toBeLessThanOrEqual(Math.ceil(3000 / (SLICE_OBJECTS - 64)));
  });

  it('is written at once if it fits into a turn or has no turns, and so are lists of numbers', async () => {
    expect((await run('{ sites { id } }', { count: SLICE_OBJECTS - 1 })).turns).toBe(0);
    expect((await run('{ sites { id } }', { isDivided: false })).turns).toBe(0);
    expect((await run('{ plain }')).turns).toBe(0);
  });

  it.each([
    ['items', 'id devices { id }'],
    ['loaded values', 'id loadedDevices { id }'],
    ['lists that other lists share', 'shared { id }'],
  ])('ends when the text of its %s is too long for a result', async (_, fields) => {
    const slices = { all: 0, first: 0 };
    const count = (kind: keyof typeof slices) => () => {
      slices[kind] += 1;
    };
    const query = `{ sites { ${fields} ${fields.replaceAll('id', `${'a'.repeat(1000)}: id`)} } }`;
    const { text: whole } = await run(query, { checkCancelled: count('all') });
    const maxResultCharacters = Math.floor(whole.length / 10);
    const limited = await run(query, { checkCancelled: count('first'), maxResultCharacters });
    const message = `The result has more than ${maxResultCharacters} characters. Request fewer items, or fewer fields of each.`;
    expect([limited.text, limited.errors]).toEqual(['null', [message]]);
    // Like the error of a result that fits into one slice.
    expect(limited.paths).toEqual([undefined]);
    expect(slices.first).toBeLessThanOrEqual(Math.ceil(slices.all / 6));
  });

  it('shares its turns with other lists of the operation', async () => {
    const { text, expectedText, turns } = await run('{ sites { id } other { id devices { id } } }');
    expect(text).toBe(expectedText);
    expect(turns).toBeGreaterThanOrEqual(Math.floor(4000 / (SLICE_OBJECTS + 64)));
    expect(turns).toBeLessThanOrEqual(Math.ceil(4000 / (SLICE_OBJECTS - 128)));
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

  it('loads what all its items need in one batch, though they are written in several turns', async () => {
    const { text, expectedText, batches, turns } = await run('{ sites { id loaded } }');
    expect(text).toBe(expectedText);
    expect(batches).toEqual([1000]);
    expect(turns).toBeGreaterThanOrEqual(3);
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

describe('values that many objects wait for', () => {
  it('are completed in several turns, and load what all of them need in one batch', async () => {
    const { text, expectedText, batches, turns } = await run(
      '{ sites { id loadedDevices { id loaded } } other { id loadedDevices { id } } }',
    );
    expect(text).toBe(expectedText);
    expect(batches).toEqual([2000, 1000]);
    // Each site counts as four objects, and has two devices.
    expect(turns).toBeGreaterThanOrEqual(Math.floor((2000 * 4) / (SLICE_OBJECTS + 64)));
  });
});
