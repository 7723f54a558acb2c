/** How users answer. */
import type { Context } from '../context.js';
import type { UserResolvers } from '../generated/resolverTypes.js';
import { identity } from './identity.js';

type DetailName = 'timezoneName' | 'firstName' | 'lastName' | 'mobilePhone';

/** A field that is not in the list of users: it costs a call, unless the user was asked for alone. */
const detailField =
  (name: DetailName) =>
  async ({ id }: { id: number }, _: unknown, { sources }: Context) =>
    (await sources.users.detailsOf(id))?.[name] ?? null;

export const User: UserResolvers = {
  ...identity('User'),
  timezoneName: detailField('timezoneName'),
  firstName: detailField('firstName'),
  lastName: detailField('lastName'),
  mobilePhone: detailField('mobilePhone'),
};
