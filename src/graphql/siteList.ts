/** The sites that a root or an organization answers. */
import { badInput } from '../errors.js';
import { organizationOfUnassigned } from '../sources/organizations.js';
import type { Site } from '../sources/sites.js';
import type { Sources } from '../sources/sources.js';
import { type Connection, type PageArguments, toConnection } from './connection.js';
import { filterSites } from './filters.js';
import type { SiteFilter, SiteOrder } from './generated/resolverTypes.js';
import { readOptionalId } from './nodeId.js';
import { siteOrder, sortBy } from './ordering.js';

export interface SiteListArguments extends PageArguments {
  filter?: SiteFilter | null | undefined;
  orderBy?: SiteOrder | null | undefined;
}

/** With `organizationId`, only that organization's sites, besides what the filter says. */
export async function listSites(
  sources: Sources,
  { filter, orderBy, ...page }: SiteListArguments,
  organizationId?: number,
): Promise<Connection<Site>> {
  if (orderBy?.field === 'DISTANCE' && !filter?.near) {
    throw badInput('orderBy.field', 'DISTANCE needs the point of filter.near to measure from.');
  }
  const filteredId = readOptionalId('Organization', filter?.organizationId, 'filter.organizationId');
  const wanted = [organizationId, filteredId].filter((id) => id !== undefined);
  const owned = await ownedByAll(await sources.sites.all(), wanted, sources);
  const sorted = sortBy(filterSites(owned, filter), orderBy, siteOrder);
  return toConnection(sorted, page, await sources.sites.isWhole());
}

async function ownedByAll(
  sites: readonly Site[],
  organizationIds: readonly number[],
  { organizations }: Sources,
): Promise<readonly Site[]> {
  if (organizationIds.length === 0) return sites;
  const unassignedId = sites.some((site) => site.organizationId === null)
    ? organizationOfUnassigned(await organizations.all())?.id
    : undefined;
  return sites.filter((site) => organizationIds.every((id) => (site.organizationId ?? unassignedId) === id));
}
