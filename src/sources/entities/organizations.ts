/** Organizations of the account, and the rule for whose a site is. */
import { type MaybePromise, whenReady } from '../../lib/maybePromise.js';
import type { RowOf } from '../../rest/decode/rowDecoder.js';
import type { organizationRow } from '../../rest/decode/rows.js';
import type { RestClient } from '../../rest/restClient.js';
import { readCollection, readOne } from '../core/collections.js';
import { createByIdLoader } from '../core/loaders.js';
import type { Reader } from '../core/reader.js';

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
    /** So many of them, or of their parents, are about to be asked for. */
    prefetch: (count: number) => collection.prefetch(count, { ...one, name: 'organizations by id' }),
    all: () => whenReady(collection.load(), ({ items }) => items),
    isWhole: () => whenReady(collection.load(), ({ isComplete }) => isComplete),
    byId: (id: number) => byId.load(id),
    /** The id of the organization that a site belongs to; null where nothing says so. */
    idOfSite({ organizationId }: { organizationId: number | null }): MaybePromise<number | null> {
      if (organizationId !== null) return organizationId;
      return whenReady(collection.load(), ({ items }) => organizationOfUnassigned(items)?.id ?? null);
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
