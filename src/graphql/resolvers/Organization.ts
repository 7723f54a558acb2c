/** How organizations answer. */

import { listSites } from '../connections/siteList.js';
import type { OrganizationResolvers } from '../generated/resolverTypes.js';
import { identity } from './identity.js';

export const Organization: OrganizationResolvers = {
  ...identity('Organization'),
  accountPlatformId: ({ accountId }) => (accountId === null ? null : String(accountId)),
  sites: ({ id }, args, { sources }) => listSites(sources, args, id),
};
