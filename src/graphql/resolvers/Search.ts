/** Resolves the objects that a search finds. Each kind is loaded only where a query selects it. */
import type { Site } from '../../sources/entities/sites.js';
import { findBest } from '../arguments/search.js';
import type { SearchResultResolvers } from '../generated/resolverTypes.js';
import { operationRelation } from './relation.js';

export const SearchResult: SearchResultResolvers = {
  sites: operationRelation(['sites'], async (search, _, { sites }) =>
    findBest(await sites.all(), search, ({ id, name }) => ({ own: [name, String(id)] })),
  ),
  devices: operationRelation(['devices', 'sites'], async (search, _, { devices, sites }) => {
    const [all, siteNames] = await Promise.all([devices.all(), loadSiteNames(sites)]);
    return findBest(all, search, ({ id, name, serialNumber, modelNumber, siteId, akid, iccid }) => ({
      own: [name, serialNumber, String(id), akid, iccid],
      context: [modelNumber, siteNames.get(siteId)],
    }));
  }),
  streams: operationRelation(['streams', 'sites'], async (search, _, { streams, sites }) => {
    const [all, siteNames] = await Promise.all([streams.all(), loadSiteNames(sites)]);
    return findBest(all, search, ({ id, name, type, siteId }) => ({
      own: [name, String(id)],
      context: [type?.name, siteNames.get(siteId)],
    }));
  }),
};

/** By id. */
async function loadSiteNames({ all }: { all(): readonly Site[] | Promise<readonly Site[]> }) {
  return new Map<number | null, string>((await all()).map(({ id, name }) => [id, name]));
}
