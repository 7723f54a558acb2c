/** The cost of the explorer's operations is well within the limit, and every list of the schema has a size. */
import { readdirSync, readFileSync } from 'node:fs';
import { getIntrospectionQuery } from 'graphql';
import { describe, expect, it } from 'vitest';
import type { GatewayError } from '../../../../src/errors.js';
import { createCostTable } from '../../../../src/graphql/limits/costTable.js';
import { createOperationGuard } from '../../../../src/graphql/limits/operationGuard.js';
import { defaultOperationLimits } from '../../../../src/graphql/limits/operationLimits.js';
import { createSchema } from '../../../../src/graphql/schema.js';
import { DAY_MS } from '../../../../src/lib/clock.js';
import { chainFragments } from '../../../support/execution/countVisits.js';

const schema = createSchema();
const directory = new URL('../../../../explorer/operations/', import.meta.url);

const DAYS = `query ($v: DateTime!) { stream(id: "1") {
  aggregates(range: { from: "2020-01-01T00:00:00Z", to: $v }, every: { hours: 1 }) { start } } }`;

const FILTER = 'query ($v: StreamFilter) { streams(first: 10, filter: $v) { nodes { name } } }';
const ORDER = 'query ($v: StreamOrder) { streams(first: 10, orderBy: $v) { nodes { name } } }';

const guarding = createOperationGuard(schema, { ...defaultOperationLimits, maxCost: 1e9 });
const estimate = (source: string, variables: Record<string, unknown>) =>
  guarding.check({ source, operationName: undefined, variables })?.cost.estimated;

const aliased = (open: string, close: string) => (characters: number) =>
  `{ ${open} { ${'a'.repeat(characters)}: name } ${close} }`;
const DAY_0_MS = Date.UTC(2020, 0, 1);
const series = (days: number, maxPoints: number) =>
  `{ stream(id: 1) { series(range: { from: ${DAY_0_MS}, to: ${DAY_0_MS + days * DAY_MS} }, maxPoints: ${maxPoints}) { times } } }`;

/** The error of an operation that the default limits refuse. */
function refuse(source: string): unknown {
  try {
    return createOperationGuard(schema, defaultOperationLimits).check({
      source,
      operationName: undefined,
      variables: {},
    });
  } catch (error) {
    return error;
  }
}

describe('the cost', () => {
  it.each(readdirSync(directory))('of %s is at most half the limit', (name) => {
    const source = readFileSync(new URL(name, directory), 'utf8');
    const checked = createOperationGuard(schema, defaultOperationLimits).check({
      source,
      operationName: undefined,
      variables: {},
    });
    expect(checked?.cost.estimated).toBeGreaterThan(0);
    expect(checked?.cost.estimated).toBeLessThan(defaultOperationLimits.maxCost / 2);
  });

  it('of the standard introspection query is less than a third of the limit', () => {
    for (const maxCost of [1000, defaultOperationLimits.maxCost]) {
      const guard = createOperationGuard(schema, { ...defaultOperationLimits, maxCost });
      const request = { source: getIntrospectionQuery(), operationName: undefined, variables: {} };
      expect(guard.check(request)?.cost.estimated).toBeLessThan(maxCost / 3);
    }
  });

  it('of every list uses a size that the schema states', () => {
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

  it.each([
    ['an argument', 'query ($v: Int) { sites(first: $v) { nodes { name } } }', 1, 900],
    ['a part of an argument', DAYS, '2020-01-02T00:00:00Z', '2020-03-01T00:00:00Z'],
    [
      'a fragment',
      'query ($v: Int) { ...F } fragment F on Query { sites(first: $v) { nodes { name } } }',
      1,
      900,
    ],
    ['a filter by state', FILTER, { type: 'Flow' }, { type: 'Flow', alarmLevel: ['EVENT'] }],
    ['an order by state', ORDER, { field: 'NAME' }, { field: 'AGGREGATE' }],
  ])('depends on the variables in %s each time, in any order', (_, source, small, large) => {
    const costs = ([small, large, small] as unknown[]).map((v) => estimate(source, { v }));
    expect(costs).toEqual([costs[0], costs[1], costs[0]]);
    expect(costs[1]).toBeGreaterThan(2 * (costs[0] ?? 0));
  });

  it('of a list argument with a single value is that of a list with one item', () => {
    const chart = (ids: string) =>
      `{ chart(${ids}, range: { from: 0, to: 86400000 }, maxPoints: 1000) { time value } }`;
    expect(estimate(chart('streamIds: "Stream:1"'), {})).toBe(estimate(chart('streamIds: ["Stream:1"]'), {}));
    for (const id of ['16801', '"16801"']) {
      expect(estimate(chart(`siteIds: ${id}`), {})).toBe(estimate(chart(`siteIds: [${id}]`), {}));
    }
    const source = chart('streamIds: $ids').replace('{', 'query ($ids: [ID!]) {');
    for (const ids of ['Stream:1', 88001]) {
      expect(estimate(source, { ids })).toBe(estimate(source, { ids: [ids] }));
    }
    expect(estimate(source, { ids: 'Stream:1' })).toBeGreaterThan(1000);
  });

  it('of the payload of a mutation grows with its input', () => {
    const source = `mutation ($attributes: [SiteCustomAttributeInput!]!) {
      setSiteCustomAttributes(input: { attributes: $attributes }) { sites { name devices { name } } } }`;
    const [few = 0, many = 0] = [10, 1000].map((length) =>
      estimate(source, { attributes: Array.from({ length }, () => ({})) }),
    );
    expect(many).toBeGreaterThan(50 * (few - 100));
  });

  it.each([
    ['first: 0', '{ sites(first: 0) { nodes { ...F0 } } }', 'Site'],
    ['no ids', '{ samplesOf(streamIds: []) { stream { ...F0 } } }', 'Stream'],
  ])('of what is below a list counts once if the list is empty: %s', (_, root, type) => {
    const fragments = chainFragments(type, 20, (next) => `${next} ${next}`);
    expect(estimate(`${root} ${fragments}`, {})).toBeGreaterThan(2 ** 19 / 10);
  });

  it.each([
    [
      'a negative number of items',
      '{ sites(first: -1000000) { nodes { name } } }',
      '{ sites(first: 0) { nodes { name } } }',
    ],
    [
      'an absent variable with the name of an inherited property',
      'query ($constructor: Int) { sites(first: $constructor) { nodes { name } } }',
      '{ sites { nodes { name } } }',
    ],
    [
      'a single object in place of a list of objects',
      'mutation { setSiteCustomAttributes(input: { attributes: {} }) { sites { name } } }',
      'mutation { setSiteCustomAttributes(input: { attributes: [{}] }) { sites { name } } }',
    ],
  ])('of %s is not lower', (_, source, same) => {
    expect(estimate(source, {})).toBe(estimate(same, {}));
  });

  it.each([
    ['each character of an alias beyond 31', 100 / 320, aliased('sites(first: 100) { nodes', '}')],
    ['each character of an alias in introspection', 1000 / 320, aliased('__schema { types', '}')],
    ['each point of a series', 0.1, (points: number) => series(1, points)],
    ['each day of a range', 1.5, (days: number) => series(days, 10)],
    [
      'each stream of a chart',
      20 * 1.1,
      (count: number) =>
        `{ chart(streamIds: [${'"Stream:1" '.repeat(count)}], range: { from: 0, to: 1 }, maxPoints: 20) { time } }`,
    ],
  ])('of %s is %d', (_, each, toSource) => {
    const [few = 0, many = 0] = [32, 992].map((count) => estimate(toSource(count), {}));
    expect((many - few) / 960).toBeCloseTo(each);
  });

  it('of a deferred fragment is 1 for each object', () => {
    const cost = (name: string) =>
      estimate(`{ sites(first: 100) { nodes { ${name} } } } fragment Name on Site { name }`, {}) ?? 0;
    expect(cost('... @defer { name }') - cost('name')).toBeCloseTo(100);
    expect(cost('...Name @defer') - cost('...Name')).toBeCloseTo(100);
    expect(cost('...Name @defer(if: true)') - cost('...Name')).toBeCloseTo(100);
    expect(cost('...Name @defer(if: false)') - cost('...Name')).toBe(0);
  });

  it('of many fields in fragments below different arguments is estimated in time', () => {
    const searches = [1, 2, 3, 4].map((first) => `search(first: ${first}) { ...B }`);
    const series = [3, 4, 5, 6].map((points) => `series(maxPoints: ${points}) { ...P }`);
    const fields = Array.from({ length: 1000 }, (_, index) => `p${index}`);
    const source = `{ x { ...A } sites(first: 9999) { nodes { streams { lastSample { value } } } } }
      fragment A on Query { ${searches.join(' ')} } fragment B on Stream { ${series.join(' ')} }
      fragment P on Stream { ${fields.join(' ')} }`;
    const before = process.cpuUsage();
    expect(refuse(source)).toMatchObject({ code: 'COST_TOO_HIGH', costliestFields: { length: 5 } });
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1000).toBeLessThan(300);
  });

  it('has the parts of all spreads of a fragment in the fields that cost most', () => {
    const source = `{ a: site(id: 1) { ...S } b: site(id: 2) { ...S ...S } sites(first: 9000) { nodes { ...S } } }
      fragment S on Site { devices { name lastLog { message } } }`;
    const { costliestFields = [] } = refuse(source) as GatewayError;
    const [log = 0, name = 0] = ['lastLog { message }', 'name'].map((field) =>
      estimate(`{ site(id: 1) { devices { ${field} } } }`, {}),
    );
    expect(costliestFields[0]?.field).toBe('Device.lastLog');
    expect((costliestFields[0]?.cost ?? 0) / 9003).toBeCloseTo(log - name, 0);
  });

  it('is reported for each operation of a document', () => {
    const source =
      '{ sites(first: 1) { nodes { name } } } query B { sites(first: 900) { nodes { name } } }'.replace(
        '{',
        'query A {',
      );
    const guard = createOperationGuard(schema, defaultOperationLimits);
    const costs = ['A', 'B', 'A', 'B'].map(
      (operationName) => guard.check({ source, operationName, variables: {} })?.cost.estimated,
    );
    expect(costs).toEqual([costs[0], costs[1], costs[0], costs[1]]);
    expect(costs[1]).toBeGreaterThan(2 * (costs[0] ?? 0));
  });
});
