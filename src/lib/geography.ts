/** Distances and bounding boxes on the earth's surface. Pure. */

export interface GeoPoint {
  /** Decimal degrees, -90 to 90. */
  latitude: number;
  /** Decimal degrees, -180 to 180. */
  longitude: number;
}

interface GeoBox {
  south: number;
  west: number;
  north: number;
  /** Less than `west` if the box spans the 180th meridian. */
  east: number;
}

const MEAN_EARTH_RADIUS_KM = 6371.0088;

/** The great-circle distance by the haversine formula, in kilometres. */
export function distanceKm(one: GeoPoint, other: GeoPoint): number {
  const half = (degrees: number) => Math.sin(toRadians(degrees) / 2) ** 2;
  const latitudes = Math.cos(toRadians(one.latitude)) * Math.cos(toRadians(other.latitude));
  const haversine = half(other.latitude - one.latitude) + latitudes * half(other.longitude - one.longitude);
  return 2 * MEAN_EARTH_RADIUS_KM * Math.asin(Math.sqrt(Math.min(1, haversine)));
}

export function isInside({ latitude, longitude }: GeoPoint, { south, west, north, east }: GeoBox): boolean {
  if (latitude < south || latitude > north) return false;
  return west <= east ? longitude >= west && longitude <= east : longitude >= west || longitude <= east;
}

export function isLatitude(degrees: number): boolean {
  return degrees >= -90 && degrees <= 90;
}

export function isLongitude(degrees: number): boolean {
  return degrees >= -180 && degrees <= 180;
}

function toRadians(degrees: number): number {
  return (degrees * Math.PI) / 180;
}
