/** The sites that a root or an organization answers. */
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

/** Facts of a site that depend on the list: they stand on its edge, since clients cache sites by their ids. */
interface SiteDetails {
  distanceKm: number | null;
}

/** With `organizationId`, only that organization's sites, in addition to the filter. */
export function listSites(
  { sites, organizations }: Pick<Sources, 'sites' | 'organizations'>,
  { filter, orderBy, ...page }: SiteListArguments,
  organizationId?: number,
) {
  if (orderBy?.field === 'DISTANCE' && !filter?.near) {
    throw createBadInputError('orderBy.field', 'DISTANCE needs the point of filter.near to measure from.');
  }
  const filteredId = readOptionalId('Organization', filter?.organizationId, 'filter.organizationId');
  const ownerIds = [organizationId, filteredId].filter((id) => id !== undefined);
  const distanceOf: DistanceOf = filter?.near ? measureFrom(filter.near) : () => null;
  const details = (site: Site): SiteDetails => ({ distanceKm: roundToMetres(distanceOf(site)) });
  const order = createSiteOrder(distanceOf);
  const toPage = ({ items, isComplete }: ItemList<Site>, unassignedOwnerId?: number) => {
    const owned = filterByOwners(items, ownerIds, unassignedOwnerId);
    return toConnection(sortBy(filterSites(owned, filter), orderBy, order), page, isComplete, details);
  };
  return sites.select((list) =>
    ownerIds.length > 0 && list.items.some((site) => site.organizationId === null)
      ? organizations.select((all) => toPage(list, organizationOfUnassigned(all.items)?.id))
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
