/** Loads sites. */
import { type GeoPoint, isLatitude, isLongitude } from '../../lib/geography.js';
import type { RowOf } from '../../rest/decode/rowDecoder.js';
import type { siteRow } from '../../rest/decode/rows.js';
import type { RestClient } from '../../rest/restClient.js';
import { createEntitySource, type EntitySource } from '../core/entitySource.js';
import { readOne } from '../core/keyedSource.js';
import type { Reader } from '../core/reader.js';
import { toDateTime, toFloat } from '../core/wireValues.js';

export type Site = ReturnType<typeof toSite>;

export function toSite(row: RowOf<typeof siteRow>) {
  return {
    __typename: 'Site' as const,
    id: row.id,
    name: row.display_name,
    status: row.status,
    createdAt: toDateTime(row.creation_date),
    location: toLocation(row.latitude, row.longitude),
    /** Null in many accounts: see `organizationOfUnassigned`. */
    organizationId: row.account_organization_id ?? null,
  };
}

/** Null without coordinates, or with coordinates that are not on the earth. */
function toLocation(latitudeText: string, longitudeText: string): GeoPoint | null {
  const latitude = toFloat(latitudeText);
  const longitude = toFloat(longitudeText);
  if (latitude === null || longitude === null) return null;
  return isLatitude(latitude) && isLongitude(longitude) ? { latitude, longitude } : null;
}

export type Sites = EntitySource<Site>;

export function createSites(rest: RestClient, reader: Reader): Sites {
  return createEntitySource(reader, {
    name: 'sites',
    kind: 'site',
    toItem: toSite,
    list: rest.sites,
    one: readOne(reader, 'site', rest.site, toSite),
  });
}
