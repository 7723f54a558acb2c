/** The connection of sites of the account or of an organization. */
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

/** Fields that depend on the list. They are on the edge since clients cache sites by id. */
interface SiteEdgeFields {
  distanceKm: number | null;
}

/** The filtered sites; with `organizationId`, only sites of this organization. */
export function listSites(
  sources: Sources,
  { filter, orderBy, ...page }: SiteListArguments,
  organizationId?: number,
): MaybePromise<ListConnection<Site, SiteEdgeFields>> {
  if (orderBy?.field === 'DISTANCE' && !filter?.near) {
    throw createBadInputError('orderBy.field', 'DISTANCE needs the point of filter.near to measure from.');
  }
  const filteredId = readOptionalId('Organization', filter?.organizationId, 'filter.organizationId');
  const ownerIds = [organizationId, filteredId].filter((id) => id !== undefined);
  const owned = whenReady(sources.sites.all(), (sites) => filterByOrganizations(sites, ownerIds, sources));
  const distanceOf: DistanceOf = filter?.near ? measureFrom(filter.near) : () => null;
  const edgeFieldsOf = (site: Site) => ({ distanceKm: roundToMetres(distanceOf(site)) });
  const order = createSiteOrder(distanceOf);
  return whenReady(owned, (found) =>
    whenReady(sources.sites.isWhole(), (isWhole) =>
      toConnection(sortBy(filterSites(found, filter), orderBy, order), page, isWhole, edgeFieldsOf),
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
