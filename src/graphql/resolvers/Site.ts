/** How sites answer. */
import type { SiteResolvers } from '../generated/resolverTypes.js';
import { readOptionalId } from '../nodeId.js';
import { toSampleConnection } from '../sampleConnection.js';
import { identity } from './identity.js';

export const Site: SiteResolvers = {
  ...identity('Site'),
  organization: async (site, _, { sources }) => {
    const organizationId = await sources.organizations.idOfSite(site);
    return organizationId === null ? null : sources.organizations.byId(organizationId);
  },
  devices: ({ id }, _, { sources }) => sources.devices.ofSite(id),
  streams: ({ id }, _, { sources }) => sources.streams.ofSite(id),
  customAttributes: ({ id }, _, { sources }) => sources.siteAttributes.ofSite(id),
  samplesAfter: ({ id }, { after }, { sources }) =>
    sources.samples.ofSiteAfter(id, readOptionalId('ScalarSample', after, 'after')),
  samplesSince: ({ id }, { since, ...page }, { sources }) =>
    toSampleConnection(sources.samples.ofSiteSince(id), since, page),
  rfidReads: ({ id }, { since, ...page }, { sources }) =>
    toSampleConnection(sources.samples.rfidReadsOfSiteSince(id), since, page),
};
