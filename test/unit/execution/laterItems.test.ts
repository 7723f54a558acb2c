/** Lists of promises whose items are completed in later turns, or never: their rejections must not end the process. */
import { buildSchema, parse } from 'graphql';
import { describe, expect, it } from 'vitest';
import { createExecutor, createIncrementalExecutor } from '../../../src/execution/executor.js';
import { OperationTurns, TurnBudget } from '../../../src/lib/turnBudget.js';
import { collectUnhandled } from '../../support/unhandledRejections.js';

const schema = buildSchema(`
  directive @stream(if: Boolean! = true, label: String, initialCount: Int = 0) on FIELD
  type Query { sites: [Site] strict: [Site!] }
  type Site { id: ID devices: [Device] }
  type Device { id: ID }
`);

const ITEMS = 300;
const fail = () => Promise.reject(new Error('The platform is down.'));
const site = () => ({ id: '1' });

/** The first half of the items are objects, which fill the first turn, and the others fail at once. */
function mixedList(): unknown[] {
  return Array.from({ length: ITEMS }, (_, index) => (index < ITEMS / 2 ? site() : fail()));
}

function failingList(): unknown[] {
  return Array.from({ length: ITEMS }, fail);
}

/** The clock advances 1 ms at each reading, so that a turn has used its time after a few objects. */
function createTurns(): OperationTurns {
  let nowMs = 0;
  return new OperationTurns(new TurnBudget({ maxTurnMs: 1, nowMs: () => nowMs++ }));
}

async function run(query: string, rootValue: object, checkCancelled = () => {}) {
  const turns = createTurns();
  const execute = createExecutor(schema, { turnsOf: () => turns, checkCancelled });
  const { errors = [] } = await execute({ document: parse(query), contextValue: {}, rootValue });
  return errors.map(({ message }) => message);
}

async function runFirstPart(query: string, rootValue: object): Promise<unknown> {
  const execute = createIncrementalExecutor(schema);
  return execute({ document: parse(query), contextValue: {}, rootValue }, 'v0.2');
}

describe('a list that is written in several turns', () => {
  it('awaits each of its promises', async () => {
    let errors: string[] = [];
    const unhandled = await collectUnhandled(async () => {
      errors = await run('{ sites { id } }', { sites: mixedList });
    });
    expect(unhandled).toEqual([]);
    expect(errors).toHaveLength(ITEMS / 2);
  });

  it('ends with its operation', async () => {
    let errors: string[] = [];
    const cancel = () => {
      throw new Error('cancelled');
    };
    const unhandled = await collectUnhandled(async () => {
      errors = await run('{ sites { id } }', { sites: mixedList }, cancel);
    });
    expect(unhandled).toEqual([]);
    expect(errors).toEqual(['cancelled']);
  });

  it('may be waited for itself', async () => {
    const sites = Array.from({ length: ITEMS }, () => ({ ...site(), devices: async () => [fail()] }));
    let errors: string[] = [];
    const unhandled = await collectUnhandled(async () => {
      errors = await run('{ sites { devices { id } } }', { sites });
    });
    expect(unhandled).toEqual([]);
    expect(errors).toHaveLength(ITEMS);
  });
});

it('a list that fails because of an item still awaits the promises after it', async () => {
  const unhandled = await collectUnhandled(async () => {
    expect(await run('{ strict { id } }', { strict: () => [site(), null, fail()] })).toHaveLength(1);
  });
  expect(unhandled).toEqual([]);
});

describe('a streamed list', () => {
  it('may be left unread', async () => {
    const query = '{ sites @stream(initialCount: 2) { id } }';
    // The first streamed item of an iterator is read at once, to know whether there is one.
    const iterate = () => Array.from({ length: 3 }, fail).values();
    for (const sites of [failingList, iterate]) {
      expect(await collectUnhandled(() => runFirstPart(query, { sites }))).toEqual([]);
    }
  });

  it('may be refused', async () => {
    const query = '{ sites @stream(initialCount: -1) { id } }';
    expect(await collectUnhandled(() => runFirstPart(query, { sites: failingList }))).toEqual([]);
  });
});
