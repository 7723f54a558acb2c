/** Resolves organizations. */
import { listSites } from '../connections/siteList.js';
import type { OrganizationResolvers } from '../generated/resolverTypes.js';
import { identity } from './identity.js';
import { objectField, operationRelation } from './relation.js';

export const Organization: OrganizationResolvers = {
  ...identity('Organization'),
  accountPlatformId: objectField(({ accountId }) => (accountId === null ? null : String(accountId))),
  sites: operationRelation(
    ['sites', 'organizations'],
    ({ id }, args, sources) => listSites(sources, args, id),
    { many: ({ sites }, count) => sites.prefetch(count) },
  ),
};
