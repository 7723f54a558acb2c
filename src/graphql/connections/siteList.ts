/** The connection of sites of the account or of an organization. */
import { createBadInputError } from '../../errors.js';
import type { ItemList } from '../../sources/core/collections.js';
import { organizationOfUnassigned } from '../../sources/entities/organizations.js';
import type { Site } from '../../sources/entities/sites.js';
import type { Sources } from '../../sources/sources.js';
import { filterSites } from '../arguments/filters.js';
import { readOptionalId } from '../arguments/nodeId.js';
import { createSiteOrder, sortBy } from '../arguments/ordering.js';
import { type DistanceOf, measureFrom, roundToMetres } from '../arguments/siteDistance.js';
import type { SiteFilter, SiteOrder } from '../generated/resolverTypes.js';
import { type PageArguments, toConnection } from './listConnection.js';

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
  sources: Pick<Sources, 'sites' | 'organizations'>,
  { filter, orderBy, ...page }: SiteListArguments,
  organizationId?: number,
) {
  if (orderBy?.field === 'DISTANCE' && !filter?.near) {
    throw createBadInputError('orderBy.field', 'DISTANCE needs the point of filter.near to measure from.');
  }
  const filteredId = readOptionalId('Organization', filter?.organizationId, 'filter.organizationId');
  const ownerIds = [organizationId, filteredId].filter((id) => id !== undefined);
  const distanceOf: DistanceOf = filter?.near ? measureFrom(filter.near) : () => null;
  const edgeFieldsOf = (site: Site): SiteEdgeFields => ({ distanceKm: roundToMetres(distanceOf(site)) });
  const order = createSiteOrder(distanceOf);
  const toPage = ({ items, isComplete }: ItemList<Site>, unassignedOwnerId?: number) => {
    const owned = filterByOwners(items, ownerIds, unassignedOwnerId);
    return toConnection(sortBy(filterSites(owned, filter), orderBy, order), page, isComplete, edgeFieldsOf);
  };
  return sources.sites.select((list) =>
    ownerIds.length > 0 && list.items.some((site) => site.organizationId === null)
      ? sources.organizations.select((all) => toPage(list, organizationOfUnassigned(all.items)?.id))
      : toPage(list),
  );
}

function filterByOwners(
  sites: readonly Site[],
  ownerIds: readonly number[],
  unassignedOwnerId: number | undefined,
): readonly Site[] {
  if (ownerIds.length === 0) return sites;
  return sites.filter((site) => ownerIds.every((id) => (site.organizationId ?? unassignedOwnerId) === id));
}
