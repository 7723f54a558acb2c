/** The sites that a root or an organization answers. */
import { createBadInputError } from '../../errors.js';
import { type MaybePromise, whenReady } from '../../lib/maybePromise.js';
import { organizationOfUnassigned } from '../../sources/entities/organizations.js';
import type { Site } from '../../sources/entities/sites.js';
import type { Sources } from '../../sources/sources.js';
import { filterSites } from '../arguments/filters.js';
import { readOptionalId } from '../arguments/nodeId.js';
import { createSiteOrder, sortBy } from '../arguments/ordering.js';
import { type DistanceOf, measureFrom, roundToMetres } from '../arguments/siteDistance.js';
import type { SiteFilter, SiteOrder } from '../generated/resolverTypes.js';
import { type ListConnection, type PageArguments, toConnection } from './listConnection.js';

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
): MaybePromise<ListConnection<Site, SiteDetails>> {
  if (orderBy?.field === 'DISTANCE' && !filter?.near) {
    throw createBadInputError('orderBy.field', 'DISTANCE needs the point of filter.near to measure from.');
  }
  const filteredId = readOptionalId('Organization', filter?.organizationId, 'filter.organizationId');
  const wanted = [organizationId, filteredId].filter((id) => id !== undefined);
  const owned = whenReady(sources.sites.all(), (sites) => filterByOrganizations(sites, wanted, sources));
  const distanceOf: DistanceOf = filter?.near ? measureFrom(filter.near) : () => null;
  const details = (site: Site) => ({ distanceKm: roundToMetres(distanceOf(site)) });
  const order = createSiteOrder(distanceOf);
  return whenReady(owned, (found) =>
    whenReady(sources.sites.isWhole(), (isWhole) =>
      toConnection(sortBy(filterSites(found, filter), orderBy, order), page, isWhole, details),
    ),
  );
}

function filterByOrganizations(
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
