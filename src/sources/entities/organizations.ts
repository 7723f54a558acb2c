/** Loads organizations, and finds the organization of a site. */
import { whenReady } from '../../lib/maybePromise.js';
import type { RowOf } from '../../rest/decode/rowDecoder.js';
import type { organizationRow } from '../../rest/decode/rows.js';
import type { RestClient } from '../../rest/restClient.js';
import type { ItemList } from '../core/collections.js';
import { createEntitySource } from '../core/entitySource.js';
import { readOne } from '../core/keyedSource.js';
import type { Reader } from '../core/reader.js';
import type { Site } from './sites.js';

export type Organization = ReturnType<typeof toOrganization>;

function toOrganization(row: RowOf<typeof organizationRow>) {
  return {
    __typename: 'Organization' as const,
    id: row.id,
    name: row.display_name,
    accountId: row.account_id ?? null,
  };
}

export type Organizations = ReturnType<typeof createOrganizations>;

type SiteOwner = Pick<Site, 'organizationId'>;

export function createOrganizations(rest: RestClient, reader: Reader) {
  const organizations = createEntitySource(reader, {
    name: 'organizations',
    kind: 'organization',
    toItem: toOrganization,
    list: rest.organizations,
    one: readOne(reader, 'organization', rest.organization, toOrganization),
  });

  const { list, isTruncated, byId, prefetch } = organizations;
  return {
    list,
    isTruncated,
    byId,
    prefetch,
    /** The organization that a site belongs to; null if the platform's data does not say. */
    ofSite: ({ organizationId }: SiteOwner) =>
      organizationId === null
        ? whenReady(list(), (all) => organizationOfUnassigned(all) ?? null)
        : byId(organizationId),
    /** The id of the organization that a site belongs to, as for `ofSite`. */
    idOfSite: ({ organizationId }: SiteOwner) =>
      organizationId ?? whenReady(list(), (all) => organizationOfUnassigned(all)?.id ?? null),
  };
}

/**
 * The organization of sites for which the platform names none, as it does in many accounts: the only organization of
 * the account. Undefined if there are several, or may be several because the list lacks some.
 */
export function organizationOfUnassigned({
  items,
  isComplete,
  isPartial,
}: ItemList<Organization>): Organization | undefined {
  return items.length === 1 && isComplete && isPartial !== true ? items[0] : undefined;
}
