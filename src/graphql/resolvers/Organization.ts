/** Resolves organizations and their users. */
import { listSites } from '../connections/entityLists.js';
import type { OrganizationResolvers, UserResolvers } from '../generated/resolverTypes.js';
import { identity } from './identity.js';
import { objectField, operationRelation, sourceRelation } from './relation.js';

export const Organization: OrganizationResolvers = {
  ...identity('Organization'),
  accountPlatformId: objectField(({ accountId }) => (accountId === null ? null : String(accountId))),
  sites: operationRelation(({ id }, args, sources) => listSites(sources, args, id), {
    many: ({ sites }, count) => sites.prefetch(count),
  }),
};

/** A field that the list of users does not contain. It costs a REST call, unless the user was loaded by id. */
const detailField = (name: 'timezoneName' | 'firstName' | 'lastName' | 'mobilePhone') =>
  sourceRelation(async ({ id }: { id: number }, { users }) => (await users.detailsOf(id))?.[name] ?? null);

export const User: UserResolvers = {
  ...identity('User'),
  timezoneName: detailField('timezoneName'),
  firstName: detailField('firstName'),
  lastName: detailField('lastName'),
  mobilePhone: detailField('mobilePhone'),
};
