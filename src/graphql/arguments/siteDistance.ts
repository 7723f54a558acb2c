/** Distances of sites from a point. */
import { distanceKm, type GeoPoint } from '../../lib/geography.js';
import type { Site } from '../../sources/entities/sites.js';
import { checkBetween } from './bounds.js';

/** In kilometres; null if the platform has no coordinates for the site. */
export type DistanceOf = (site: Site) => number | null;

/** Computes each distance once, because sorting needs it repeatedly. */
export function measureFrom(point: GeoPoint): DistanceOf {
  const distances = new Map<Site, number | null>();
  return (site) => {
    const distance = distances.get(site) ?? (site.location && distanceKm(point, site.location));
    distances.set(site, distance);
    return distance;
  };
}

/** Throws BAD_USER_INPUT with the name of the argument if a coordinate is out of range. */
export function checkPoint({ latitude, longitude }: GeoPoint, argument: string): void {
  checkLatitude(`${argument}.latitude`, latitude);
  checkLongitude(`${argument}.longitude`, longitude);
}

export function checkLatitude(argument: string, degrees: number): void {
  checkBetween(argument, degrees, -90, 90);
}

export function checkLongitude(argument: string, degrees: number): void {
  checkBetween(argument, degrees, -180, 180);
}

/** Rounds kilometres to three decimals, which is the precision of the coordinates. */
export function roundToMetres(km: number | null): number | null {
  return km === null ? null : Math.round(km * 1000) / 1000;
}
