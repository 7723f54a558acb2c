/** The sites that a root or an organization answers. */
import { badInput } from '../errors.js';
import { type MaybePromise, whenReady } from '../lib/maybePromise.js';
import { organizationOfUnassigned } from '../sources/organizations.js';
import type { Site } from '../sources/sites.js';
import type { Sources } from '../sources/sources.js';
import { type Connection, type PageArguments, toConnection } from './connection.js';
import { filterSites } from './filters.js';
import type { SiteFilter, SiteOrder } from './generated/resolverTypes.js';
import { readOptionalId } from './nodeId.js';
import { createSiteOrder, sortBy } from './ordering.js';
import { type DistanceOf, measureFrom, roundToMetres } from './siteDistance.js';

export interface SiteListArguments extends PageArguments {
  filter?: SiteFilter | null | undefined;
  orderBy?: SiteOrder | null | undefined;
}

/** Facts of a site that depend on the list: they stand on its edge, since clients cache sites by their ids. */
interface SiteDetails {
  distanceKm: number | null;
}

/** With `organizationId`, only that organization's sites, besides what the filter says. */
export function listSites(
  sources: Sources,
  { filter, orderBy, ...page }: SiteListArguments,
  organizationId?: number,
): MaybePromise<Connection<Site, SiteDetails>> {
  if (orderBy?.field === 'DISTANCE' && !filter?.near) {
    throw badInput('orderBy.field', 'DISTANCE needs the point of filter.near to measure from.');
  }
  const filteredId = readOptionalId('Organization', filter?.organizationId, 'filter.organizationId');
  const wanted = [organizationId, filteredId].filter((id) => id !== undefined);
  const owned = whenReady(sources.sites.all(), (sites) => ownedByAll(sites, wanted, sources));
  const distanceOf: DistanceOf = filter?.near ? measureFrom(filter.near) : () => null;
  const details = (site: Site) => ({ distanceKm: roundToMetres(distanceOf(site)) });
  const order = createSiteOrder(distanceOf);
  return whenReady(owned, (found) =>
    whenReady(sources.sites.isWhole(), (isWhole) =>
      toConnection(sortBy(filterSites(found, filter), orderBy, order), page, isWhole, details),
    ),
  );
}

function ownedByAll(
  sites: readonly Site[],
  organizationIds: readonly number[],
  { organizations }: Sources,
): MaybePromise<readonly Site[]> {
  if (organizationIds.length === 0) return sites;
  const ownedBy = (unassignedId: number | undefined) =>
    sites.filter((site) => organizationIds.every((id) => (site.organizationId ?? unassignedId) === id));
  if (sites.every((site) => site.organizationId !== null)) return ownedBy(undefined);
  return whenReady(organizations.all(), (all) => ownedBy(organizationOfUnassigned(all)?.id));
}
