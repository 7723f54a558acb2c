/** The text of a list that occurs again as the same array is written once. */
import { buildSchema, parse } from 'graphql';
import { describe, expect, it } from 'vitest';
import type { ExecutionContext } from '../../../src/execution/executionContext.js';
import { createExecutor } from '../../../src/execution/executor.js';
import { createCachedWriter, WHOLE_LIST } from '../../../src/execution/listItems.js';
import { FragmentCache } from '../../../src/execution/text/fragmentCache.js';
import { stringifyData } from '../../../src/execution/text/serializedJson.js';

const schema = buildSchema('type Query { items: [Item] } type Item { name: String! }');
const document = parse('{ items { name } }');
/** The last time, the text is stored. */
const TIMES = 4;

function createWriter() {
  const execute = createExecutor(schema);
  return async (items: readonly object[]) => {
    // Resolvers of the root are the properties of the root value.
    const { data, errors = [] } = await execute({ document, contextValue: {}, rootValue: { items } });
    return { text: stringifyData(data), errorCount: errors.length };
  };
}

/** An array that counts how often its items are read. */
class CountedArray<Item> extends Array<Item> {
  reads = 0;

  override [Symbol.iterator](): ArrayIterator<Item> {
    this.reads += 1;
    return super[Symbol.iterator]();
  }
}

describe('a list', () => {
  it('is not read again while it is the same array', async () => {
    const write = createWriter();
    const items = CountedArray.from([{ name: 'a' }, { name: 'b' }]) as CountedArray<object>;
    for (let time = 0; time < TIMES; time += 1) {
      expect((await write(items)).text).toBe('{"data":{"items":[{"name":"a"},{"name":"b"}]}}\n');
    }
    const readsBefore = items.reads;
    await write(items);
    expect(readsBefore).toBeGreaterThan(0);
    expect(items.reads).toBe(readsBefore);
  });

  it('is written again as another array', async () => {
    const write = createWriter();
    const first = { name: 'a' };
    const items = [first];
    for (let time = 0; time < TIMES; time += 1) await write(items);
    expect((await write([first, { name: 'c' }])).text).toBe(
      '{"data":{"items":[{"name":"a"},{"name":"c"}]}}\n',
    );
  });

  it('that occurs once takes no memory beside one that occurs again', () => {
    const budget = { characters: 0, version: 0 };
    const write = createCachedWriter((items) => JSON.stringify(items), new FragmentCache(budget));
    const context = { nonRepeatableCount: 0 } as unknown as ExecutionContext;
    const path = { prev: undefined, key: 'items', typename: 'Query' };
    const items = [{ name: 'a' }];
    for (let time = 0; time < 100; time += 1) {
      void write(items, WHOLE_LIST, context, path);
      void write([{ name: `${time}` }], WHOLE_LIST, context, path);
    }
    expect(budget.characters).toBeGreaterThan(0);
    expect(budget.characters).toBeLessThan(200);
  });

  it('reports its errors each time', async () => {
    const write = createWriter();
    const items = [{ name: 'a' }, { name: null }];
    for (let time = 0; time < TIMES; time += 1) {
      expect(await write(items)).toEqual({
        text: '{"data":{"items":[{"name":"a"},null]}}\n',
        errorCount: 1,
      });
    }
  });
});
