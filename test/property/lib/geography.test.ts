/** Distances and boxes on a sphere, for any two points. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { distanceKm, type GeoPoint, isInside, isLatitude, isLongitude } from '../../../src/lib/geography.js';

/** Near the antipode the haversine formula is a metre off. */
const SLACK_KM = 1e-3;
const HALF_WAY_ROUND_KM = Math.PI * 6371.0088;

const degrees = (most: number) => fc.double({ min: -most, max: most, noNaN: true });
const point: fc.Arbitrary<GeoPoint> = fc.record({ latitude: degrees(90), longitude: degrees(180) });

describe('distanceKm', () => {
  it.each<[string, GeoPoint, GeoPoint, number]>([
    [
      'London to Paris',
      { latitude: 51.5074, longitude: -0.1278 },
      { latitude: 48.8566, longitude: 2.3522 },
      343.6,
    ],
    ['a degree of the equator', { latitude: 0, longitude: 179.5 }, { latitude: 0, longitude: -179.5 }, 111.2],
    ['pole to pole', { latitude: 90, longitude: 0 }, { latitude: -90, longitude: 77 }, HALF_WAY_ROUND_KM],
  ])('returns the known distance for %s', (_, one, other, expected) => {
    expect(Math.abs(distanceKm(one, other) - expected)).toBeLessThan(0.1);
  });

  it('is zero to the same point, symmetric, and never more than half the circumference', () => {
    fc.assert(
      fc.property(point, point, (one, other) => {
        expect(distanceKm(one, one)).toBe(0);
        const there = distanceKm(one, other);
        expect(there).toBeGreaterThanOrEqual(0);
        expect(there).toBeLessThanOrEqual(HALF_WAY_ROUND_KM + SLACK_KM);
        expect(Math.abs(distanceKm(other, one) - there)).toBeLessThan(SLACK_KM);
      }),
    );
  });

  it('satisfies the triangle inequality', () => {
    fc.assert(
      fc.property(point, point, point, (one, other, third) => {
        const straight = distanceKm(one, other);
        expect(straight).toBeLessThanOrEqual(distanceKm(one, third) + distanceKm(third, other) + SLACK_KM);
      }),
    );
  });
});

describe('isInside', () => {
  it('places every point either in a box or in its complement in the same band', () => {
    fc.assert(
      fc.property(point, degrees(180), degrees(180), (place, west, east) => {
        fc.pre(west !== east && place.longitude !== west && place.longitude !== east);
        const band = { south: -90, north: 90 };
        const isWithin = isInside(place, { ...band, west, east });
        expect(isInside(place, { ...band, west: east, east: west })).toBe(!isWithin);
      }),
    );
  });

  it('includes the edges', () => {
    const box = { south: -1, north: 1, west: 179, east: -179 };
    for (const longitude of [179, 180, -180, -179]) {
      expect(isInside({ latitude: 1, longitude }, box)).toBe(true);
    }
    expect(isInside({ latitude: 0, longitude: 178.9 }, box)).toBe(false);
    expect(isInside({ latitude: 1.1, longitude: 180 }, box)).toBe(false);
  });
});

it('refuses NaN and infinity as degrees', () => {
  for (const odd of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 180.1]) {
    expect([isLatitude(odd), isLongitude(odd)]).toEqual([false, false]);
  }
});
