/** Distances of sites: null without coordinates, rounded to metres. */
import { describe, expect, it } from 'vitest';
import { checkPoint, measureFrom, roundToMetres } from '../../../../src/graphql/arguments/siteDistance.js';
import { site } from '../../../support/rest/models.js';

describe('measureFrom', () => {
  const distanceOf = measureFrom({ latitude: 0, longitude: 180 });

  it('measures across the 180th meridian', () => {
    const west = site(1, { location: { latitude: 0, longitude: -179.9 } });
    expect(distanceOf(west)).toBeCloseTo(11.12, 2);
    expect(distanceOf(west)).toBe(distanceOf(west));
  });

  it('returns null for a site without coordinates', () => {
    const unplaced = site(2);
    expect([distanceOf(unplaced), distanceOf(unplaced)]).toEqual([null, null]);
  });

  it('is zero at the point itself', () => {
    expect(distanceOf(site(3, { location: { latitude: 0, longitude: 180 } }))).toBe(0);
  });
});

describe('roundToMetres', () => {
  it.each([
    [1.23449, 1.234],
    [1.2345001, 1.235],
    [0.0004, 0],
    [20015.0867, 20015.087],
    [null, null],
  ])('%j is %j', (km, rounded) => {
    expect(roundToMetres(km)).toBe(rounded);
  });
});

describe('checkPoint', () => {
  it.each([
    [{ latitude: 90.1, longitude: 0 }, 'from.latitude: '],
    [{ latitude: 0, longitude: -180.1 }, 'from.longitude: '],
    [{ latitude: Number.NaN, longitude: 0 }, 'from.latitude: '],
  ])('refuses %j', (point, start) => {
    expect(() => checkPoint(point, 'from')).toThrow(expect.objectContaining({ code: 'BAD_USER_INPUT' }));
    expect(() => checkPoint(point, 'from')).toThrow(start);
  });
});
