/** Resolves users. */
import type { UserResolvers } from '../generated/resolverTypes.js';
import { identity } from './identity.js';
import { sourceRelation } from './relation.js';

type DetailName = 'timezoneName' | 'firstName' | 'lastName' | 'mobilePhone';

/** A field that the list of users lacks: it costs a REST call, unless the user was loaded alone. */
const detailField = (name: DetailName) =>
  sourceRelation(
    ['users'],
    async ({ id }: { id: number }, { users }) => (await users.detailsOf(id))?.[name] ?? null,
  );

export const User: UserResolvers = {
  ...identity('User'),
  timezoneName: detailField('timezoneName'),
  firstName: detailField('firstName'),
  lastName: detailField('lastName'),
  mobilePhone: detailField('mobilePhone'),
};
