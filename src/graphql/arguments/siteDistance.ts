/** Distances of sites from a point. */
import { createBadInputError } from '../../errors.js';
import { distanceKm, type GeoPoint, isLatitude, isLongitude } from '../../lib/geography.js';
import type { Site } from '../../sources/entities/sites.js';

/** Kilometres; null where the platform has no coordinates for the site. */
export type DistanceOf = (site: Site) => number | null;

/** Computes the distance of each site once, so that sorting a long list stays cheap. */
export function measureFrom(point: GeoPoint): DistanceOf {
  const known = new Map<Site, number | null>();
  return (site) => {
    const distance = known.get(site) ?? (site.location && distanceKm(point, site.location));
    known.set(site, distance);
    return distance;
  };
}

/** Throws BAD_USER_INPUT, naming the argument, where a coordinate is not on the earth. */
export function checkPoint({ latitude, longitude }: GeoPoint, argument: string): void {
  checkNumber(`${argument}.latitude`, latitude, isLatitude);
  checkNumber(`${argument}.longitude`, longitude, isLongitude);
}

/** Throws BAD_USER_INPUT, naming the argument, where the number is not valid. */
export function checkNumber(argument: string, value: number, isValid: (value: number) => boolean): void {
  if (!isValid(value)) throw createBadInputError(argument, `${value} is out of bounds.`);
}

/** Kilometres with three decimals: coordinates are no more exact than that. */
export function roundToMetres(km: number | null): number | null {
  return km === null ? null : Math.round(km * 1000) / 1000;
}
