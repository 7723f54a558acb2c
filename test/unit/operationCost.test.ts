/** What the explorer's own operations cost: well within the budget, and every list of the schema has a size. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createCostTable } from '../../src/graphql/limits/costTable.js';
import { createOperationGuard } from '../../src/graphql/limits/operationGuard.js';
import { defaultOperationLimits } from '../../src/graphql/limits/operationLimits.js';
import { createSchema } from '../../src/graphql/schema.js';

const schema = createSchema();
const directory = new URL('../../explorer/operations/', import.meta.url);

describe('the cost', () => {
  it.each(readdirSync(directory))('of %s is at most half the budget', (name) => {
    const source = readFileSync(new URL(name, directory), 'utf8');
    const checked = createOperationGuard(schema, defaultOperationLimits).check({
      source,
      operationName: undefined,
      variables: {},
    });
    expect(checked?.cost.estimated).toBeGreaterThan(0);
    expect(checked?.cost.estimated).toBeLessThan(defaultOperationLimits.mostCost / 2);
  });

  it('of every list goes by a size that the schema states', () => {
    const table = createCostTable(schema);
    const sized = new Set(
      [...table.values()].flatMap((fields) =>
        [...fields.values()].flatMap(({ typeName, size }) =>
          (size?.sizedFields ?? []).map((name) => `${typeName}.${name}`),
        ),
      ),
    );
    const unsized = [...table].flatMap(([type, fields]) =>
      [...fields]
        .filter(([name, { isList, size }]) => isList && !size && !sized.has(`${type}.${name}`))
        .map(([name]) => `${type}.${name}`),
    );
    expect(unsized.filter((name) => !name.startsWith('__'))).toEqual([]);
  });
});
