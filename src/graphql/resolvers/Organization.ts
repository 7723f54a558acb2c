/** How organizations answer. */
import type { OrganizationResolvers } from '../generated/resolverTypes.js';
import { listSites } from '../siteList.js';
import { identity } from './identity.js';

export const Organization: OrganizationResolvers = {
  ...identity('Organization'),
  accountPlatformId: ({ accountId }) => (accountId === null ? null : String(accountId)),
  sites: ({ id }, args, { sources }) => listSites(sources, args, id),
};
