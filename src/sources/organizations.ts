/** Organizations of the account, and the rule for whose a site is. */
import type { RestClient } from '../rest/restClient.js';
import type { RowOf } from '../rest/rowDecoder.js';
import type { organizationRow } from '../rest/rows.js';
import { readCollection, readOne } from './answers.js';
import { createByIdLoader } from './loaders.js';
import type { Reader } from './reader.js';

export interface Organization {
  __typename: 'Organization';
  id: number;
  name: string;
  accountId: number | null;
}

export function toOrganization(row: RowOf<typeof organizationRow>): Organization {
  return {
    __typename: 'Organization',
    id: row.id,
    name: row.display_name,
    accountId: row.account_id ?? null,
  };
}

export type Organizations = ReturnType<typeof createOrganizations>;

export function createOrganizations(rest: RestClient, reader: Reader) {
  const collection = readCollection(reader, {
    kind: 'organization',
    endpoint: rest.organizations,
    toItem: toOrganization,
  });
  const one = readOne(reader, 'organization', rest.organization, toOrganization);
  const byId = createByIdLoader(reader, { name: 'organizations', collection, one });

  return {
    all: async () => (await collection.load()).items,
    isWhole: async () => (await collection.load()).isComplete,
    byId: (id: number) => byId.load(id),
    /** The id of the organization that a site belongs to; null where nothing says so. */
    async idOfSite(site: { organizationId: number | null }): Promise<number | null> {
      if (site.organizationId !== null) return site.organizationId;
      return organizationOfUnassigned((await collection.load()).items)?.id ?? null;
    },
  };
}

/**
 * The platform leaves out whose a site is for many accounts: with one organization every such site is in it,
 * with several it is in none.
 */
export function organizationOfUnassigned(organizations: readonly Organization[]): Organization | undefined {
  return organizations.length === 1 ? organizations[0] : undefined;
}
