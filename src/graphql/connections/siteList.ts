/** The connection of sites of the account or of an organization. */
import { createBadInputError } from '../../errors.js';
import { whenReady } from '../../lib/maybePromise.js';
import type { Site } from '../../sources/entities/sites.js';
import { filterSites } from '../arguments/filters.js';
import { readOptionalId } from '../arguments/nodeId.js';
import { createSiteOrder } from '../arguments/ordering.js';
import { type DistanceOf, measureFrom, roundToMetres } from '../arguments/siteDistance.js';
import { type ListSources, narrowSites, sitesOfOrganizations } from '../arguments/stateFilters.js';
import { orderSites } from '../arguments/stateOrders.js';
import type { SiteFilter, SiteOrder } from '../generated/resolverTypes.js';
import { withFacets } from './entityLists.js';
import { siteFacets } from './facets.js';
import { type PageArguments, toConnection } from './listConnection.js';

interface SiteListArguments extends PageArguments {
  filter?: SiteFilter | null | undefined;
  orderBy?: SiteOrder | null | undefined;
}

/** Fields that depend on the list. They are on the edge since clients cache sites by id. */
interface SiteEdgeFields {
  distanceKm: number | null;
}

/** The filtered sites; with `organizationId`, only sites of this organization. */
export function listSites(
  sources: ListSources,
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
  const select = (all: readonly Site[]) =>
    whenReady(narrowSites(filterSites(all, filter), filter, sources), (matching) =>
      orderSites(matching, orderBy, order, sources),
    );
  return sources.sites.select(({ items, isComplete }) => {
    const owned = ownerIds.length === 0 ? items : sitesOfOrganizations(sources, items, ownerIds);
    return whenReady(whenReady(owned, select), (list) =>
      withFacets(toConnection(list.items, page, isComplete, edgeFieldsOf), () => siteFacets(list.items)),
    );
  });
}
