/** The filters of lists as functions: combined conditions, edges of boxes and circles, bad values. */
import { describe, expect, it } from 'vitest';
import {
  createRfidSelection,
  filterChannels,
  filterDevices,
  filterSites,
  filterStreams,
} from '../../../../src/graphql/arguments/filters.js';
import { channel, device, site, stream } from '../../../support/rest/models.js';

const at = (id: number, latitude: number, longitude: number) =>
  site(id, { location: { latitude, longitude } });
const idsOf = (items: readonly { id: number }[]) => items.map(({ id }) => id);

describe('filterSites', () => {
  const named = [
    site(1, { name: 'Árvore North' }),
    site(2, { name: 'north' }),
    site(3, { status: 'Inactive' }),
  ];

  it('returns the same list object without a filter', () => {
    expect(filterSites(named, undefined)).toBe(named);
    expect(filterSites(named, null)).toBe(named);
  });

  it.each([
    [{ nameContains: 'NORTH' }, [1, 2]],
    [{ nameContains: 'ÁRV' }, [1]],
    [{ nameContains: 'arv' }, [1]],
    // The accent as a character of its own, as some systems send it.
    [{ nameContains: 'A\u0301rvore' }, [1]],
    [{ nameContains: '' }, [1, 2, 3]],
    [{ status: 'ACTIVE' }, [1, 2]],
    [{ status: 'Activ' }, []],
    [{ nameContains: 'north', status: 'Inactive' }, []],
    [{ nameContains: null, status: null }, [1, 2, 3]],
  ])('%j', (filter, expected) => {
    expect(idsOf(filterSites(named, filter))).toEqual(expected);
  });

  it('includes the edges of a box', () => {
    const sites = [at(1, 10, 20), at(2, 11, 21), at(3, 9.999, 20), at(4, 10, 21.001), site(5)];
    expect(idsOf(filterSites(sites, { within: { south: 10, west: 20, north: 11, east: 21 } }))).toEqual([
      1, 2,
    ]);
  });

  it('reads a box whose west lies east of its east as one across the 180th meridian', () => {
    const sites = [at(1, 0, 179), at(2, 0, -179), at(3, 0, 180), at(4, 0, -180), at(5, 0, 0), at(6, 60, 179)];
    const within = { south: -10, west: 178, north: 10, east: -178 };
    expect(idsOf(filterSites(sites, { within }))).toEqual([1, 2, 3, 4]);
    expect(idsOf(filterSites(sites, { within: { ...within, west: -178, east: 178 } }))).toEqual([5]);
  });

  it('measures near the poles and across the 180th meridian, nearest first', () => {
    const sites = [at(1, 0, -179.5), at(2, 0, 179.9), at(3, 0, 0), site(4)];
    const near = filterSites(sites, { near: { latitude: 0, longitude: 180, radiusKm: 100 } });
    expect(idsOf(near)).toEqual([2, 1]);
    const polar = filterSites([at(1, 89.9, 0), at(2, 89.9, 180)], {
      near: { latitude: 90, longitude: 77, radiusKm: 12 },
    });
    expect(polar).toHaveLength(2);
  });

  it('does not change its input', () => {
    const [one] = filterSites(named, {});
    expect(one).toBe(named[0]);
    const placed = [at(1, 0, 0)];
    const [near] = filterSites(placed, { near: { latitude: 0, longitude: 0, radiusKm: 1 } });
    expect(near).toBe(placed[0]);
  });

  it.each([
    [{ within: { south: 1, west: 0, north: 0, east: 1 } }, 'filter.within: '],
    [{ within: { south: Number.NaN, west: 0, north: 0, east: 1 } }, 'filter.within.south: '],
    [{ near: { latitude: 0, longitude: 180.5, radiusKm: 1 } }, 'filter.near.longitude: '],
    [{ near: { latitude: 0, longitude: 0, radiusKm: Number.NaN } }, 'filter.near.radiusKm: '],
  ])('refuses %j even without any site', (filter, start) => {
    expect(() => filterSites([], filter)).toThrow(expect.objectContaining({ code: 'BAD_USER_INPUT' }));
    expect(() => filterSites([], filter)).toThrow(start);
  });
});

describe('the other filters', () => {
  it('restrict a device to its site, model and firmware', () => {
    const devices = [device(1, { siteId: 7 }), device(2, { siteId: 7, modelNumber: 'FL' }), device(3)];
    expect(idsOf(filterDevices(devices, { siteId: 'Site:7' }))).toEqual([1, 2]);
    expect(idsOf(filterDevices(devices, { siteId: '7', modelNumber: 'fl' }))).toEqual([2]);
    expect(idsOf(filterDevices(devices, { firmwareVersion: '1.0' }))).toEqual([]);
    expect(() => filterDevices(devices, { siteId: 'Device:7' })).toThrow('filter.siteId');
  });

  it('restrict a channel to its device and type, each of which may be missing', () => {
    const channels = [
      channel(1, 'a', { deviceId: 4, type: { id: 1, name: 'DIGITAL' } }),
      channel(2, 'b', { deviceId: null }),
    ];
    expect(idsOf(filterChannels(channels, { deviceId: '4' }))).toEqual([1]);
    expect(idsOf(filterChannels(channels, { type: 'digital' }))).toEqual([1]);
    expect(idsOf(filterChannels(channels, { nameContains: 'B' }))).toEqual([2]);
  });

  it('restrict a stream to its site, type and units', () => {
    const streams = [
      stream(1, 'a', null, { units: 'bar', siteId: 3, type: { id: 1, name: 'Pressure' } }),
      stream(2, 'b', null, { siteId: null }),
    ];
    expect(idsOf(filterStreams(streams, { siteId: '3', units: 'bar', type: 'pressure' }))).toEqual([1]);
    expect(idsOf(filterStreams(streams, { units: '' }))).toEqual([2]);
    expect(idsOf(filterStreams(streams, { type: '' }))).toEqual([]);
  });

  it('find a type and a status by the name, or by the number that facets show without a name', () => {
    const status = { id: 3, name: 'Online' };
    const channels = [
      channel(1, 'a', { type: { id: 5, name: null }, status }),
      channel(2, 'b', { type: { id: 6, name: 'Pressure' }, status: { id: 4, name: null } }),
      channel(3, 'c', { type: null, status: null }),
    ];
    const streams = channels.map(({ id, type, status: own }) => stream(id, 's', null, { type, status: own }));
    const filters = [
      [{ type: '5' }, [1]],
      [{ type: '6' }, [2]],
      [{ type: 'pressure' }, [2]],
      [{ type: '' }, []],
      [{ status: 'ONLINE' }, [1]],
      [{ status: '4' }, [2]],
      [{ status: '' }, []],
    ] as const;
    for (const [filter, ids] of filters) {
      expect(idsOf(filterChannels(channels, filter))).toEqual(ids);
      expect(idsOf(filterStreams(streams, filter))).toEqual(ids);
    }
  });

  it('are case-sensitive in units, where case changes the meaning', () => {
    const streams = [stream(1, 'a', null, { units: 'mW' }), stream(2, 'b', null, { units: 'MW' })];
    expect(idsOf(filterStreams(streams, { units: 'MW' }))).toEqual([2]);
  });
});

describe('createRfidSelection', () => {
  it.each([
    [undefined, undefined],
    [{ streamIds: ['1'] }, undefined],
    [{ tagId: 'A1', tagIds: null }, ['A1']],
    [{ tagIds: ['B2', 'C3'] }, ['B2', 'C3']],
    [{ tagId: 'A1', tagIds: ['B2'] }, ['A1', 'B2']],
  ])('selects the tags that %j names', (filter, expected) => {
    expect(createRfidSelection(filter).tagIds).toEqual(expected && new Set(expected));
  });
});
