/** The order of lists: natural sorting, missing values last, equal values in their original order. */
import { describe, expect, it } from 'vitest';
import {
  type OrderedList,
  orderSites,
  orderStreams,
  sortBy,
} from '../../../../src/graphql/arguments/ordering.js';
import type { DistanceOf } from '../../../../src/graphql/arguments/siteDistance.js';
import type { ReadSources } from '../../../../src/graphql/context.js';
import type { SiteOrder, StreamOrder } from '../../../../src/graphql/generated/resolverTypes.js';
import type { MaybePromise } from '../../../../src/lib/maybePromise.js';
import type { Site } from '../../../../src/sources/entities/sites.js';
import type { Stream } from '../../../../src/sources/entities/streams.js';
import { site, stream } from '../../../support/rest/models.js';

/** Sorting by keys that the items contain reads no source. */
const sources = {} as ReadSources;

function sortSites(sites: readonly Site[], order?: SiteOrder | null, distanceOf: DistanceOf = () => null) {
  return itemsOf(orderSites(sites, order, sources, distanceOf));
}

function sortStreams(streams: readonly Stream[], order: StreamOrder) {
  return itemsOf(orderStreams(streams, order, sources));
}

async function itemsOf<Item>(ordered: MaybePromise<OrderedList<Item>>): Promise<readonly Item[]> {
  return (await ordered).items;
}

const names = (...all: string[]) => all.map((name, index) => site(index + 1, { name }));

describe('the order of a list', () => {
  it('returns the same list object without an order', async () => {
    const sites = names('b', 'a');
    const keys = { NAME: ({ name }: Site) => name };
    expect(sortBy(sites, undefined, keys)).toBe(sites);
    expect(sortBy(sites, null, keys)).toBe(sites);
    expect(await sortSites(sites, undefined)).toBe(sites);
    expect(await sortSites(sites, null)).toBe(sites);
  });

  it('sorts numbers in names as numbers, and ignores case and accents', async () => {
    const sites = names('Pump 10', 'pump 9', 'Évora', 'evora', 'Zermatt', 'Aveiro');
    const sorted = (await sortSites(sites, { field: 'NAME' })).map(({ name }) => name);
    expect(sorted).toEqual(['Aveiro', 'Évora', 'evora', 'pump 9', 'Pump 10', 'Zermatt']);
    expect(sites[0]?.name).toBe('Pump 10');
  });

  it.each(['ASC', 'DESC'] as const)('sorts missing values last, %s', async (direction) => {
    const distances = [null, 3, null, 1, 2];
    const sites = distances.map((_, index) => site(index));
    const order = { field: 'DISTANCE', direction } as const;
    const ordered = await sortSites(sites, order, ({ id }) => distances[id] ?? null);
    const sorted = ordered.map(({ id }) => distances[id]);
    const numbers = direction === 'ASC' ? [1, 2, 3] : [3, 2, 1];
    expect(sorted).toEqual([...numbers, null, null]);
  });

  it.each(['ASC', 'DESC', null, undefined] as const)(
    'keeps the order of equal values, %s',
    async (direction) => {
      const streams = [5, 3, 4].map((id) => stream(id, 'same'));
      const sorted = await sortStreams(streams, { field: 'NAME', direction });
      expect(sorted.map(({ id }) => id)).toEqual([5, 3, 4]);
    },
  );

  it('sorts ids as numbers', async () => {
    const sites = [10, 9, 100].map((id) => site(id));
    expect((await sortSites(sites, { field: 'ID' })).map(({ id }) => id)).toEqual([9, 10, 100]);
  });

  it('sorts dates with fractions of a second by time', async () => {
    const dates = ['00.5Z', '00Z', null, '00.25Z', '01Z'].map((end) => end && `2026-03-14T09:30:${end}`);
    const sites = dates.map((createdAt, id) => site(id, { createdAt }));
    const sorted = await sortSites(sites, { field: 'CREATED_AT' });
    expect(sorted.map(({ id }) => id)).toEqual([1, 3, 0, 4, 2]);
  });

  it('reads the key of each item once', async () => {
    let reads = 0;
    const sites = [10, 9, 100, 30, 20, 1].map((id) => site(id));
    const distanceOf: DistanceOf = ({ id }) => {
      reads += 1;
      return id;
    };
    const sorted = await sortSites(sites, { field: 'DISTANCE' }, distanceOf);
    expect(sorted.map(({ id }) => id)).toEqual([1, 9, 10, 20, 30, 100]);
    expect(reads).toBe(sites.length);
  });

  it('sorts by the name of a type where there is one', async () => {
    const streams = [stream(1, 'a'), stream(2, 'b', null, { type: { id: 1, name: 'Flow' } })];
    const sorted = await sortStreams(streams, { field: 'TYPE', direction: 'DESC' });
    expect(sorted.map(({ id }) => id)).toEqual([2, 1]);
  });
});
