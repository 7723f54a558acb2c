/** The order of lists: natural sorting, missing values last, equal values in their original order. */
import { describe, expect, it } from 'vitest';
import { createSiteOrder, sortBy, streamOrder } from '../../../../src/graphql/arguments/ordering.js';
import { site, stream } from '../../../support/rest/models.js';

const siteOrder = createSiteOrder(() => null);
const names = (...all: string[]) => all.map((name, index) => site(index + 1, { name }));

describe('sortBy', () => {
  it('returns the same list object without an order', () => {
    const sites = names('b', 'a');
    expect(sortBy(sites, undefined, siteOrder)).toBe(sites);
    expect(sortBy(sites, null, siteOrder)).toBe(sites);
  });

  it('sorts numbers in names as numbers, and ignores case and accents', () => {
    const sites = names('Pump 10', 'pump 9', 'Évora', 'evora', 'Zermatt', 'Aveiro');
    const sorted = sortBy(sites, { field: 'NAME' }, siteOrder).map(({ name }) => name);
    expect(sorted).toEqual(['Aveiro', 'Évora', 'evora', 'pump 9', 'Pump 10', 'Zermatt']);
    expect(sites[0]?.name).toBe('Pump 10');
  });

  it.each(['ASC', 'DESC'] as const)('sorts missing values last, %s', (direction) => {
    const distances = [null, 3, null, 1, 2];
    const sites = distances.map((_, index) => site(index));
    const order = createSiteOrder(({ id }) => distances[id] ?? null);
    const sorted = sortBy(sites, { field: 'DISTANCE', direction }, order).map(({ id }) => distances[id]);
    const numbers = direction === 'ASC' ? [1, 2, 3] : [3, 2, 1];
    expect(sorted).toEqual([...numbers, null, null]);
  });

  it.each(['ASC', 'DESC', null, undefined] as const)('keeps the order of equal values, %s', (direction) => {
    const streams = [5, 3, 4].map((id) => stream(id, 'same'));
    const sorted = sortBy(streams, { field: 'NAME', direction }, streamOrder);
    expect(sorted.map(({ id }) => id)).toEqual([5, 3, 4]);
  });

  it('sorts ids as numbers', () => {
    const sites = [10, 9, 100].map((id) => site(id));
    expect(sortBy(sites, { field: 'ID' }, siteOrder).map(({ id }) => id)).toEqual([9, 10, 100]);
  });

  it('sorts by the name of a type where there is one', () => {
    const streams = [stream(1, 'a'), stream(2, 'b', null, { type: { id: 1, name: 'Flow' } })];
    expect(sortBy(streams, { field: 'TYPE', direction: 'DESC' }, streamOrder).map(({ id }) => id)).toEqual([
      2, 1,
    ]);
  });
});
