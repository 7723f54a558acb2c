/** Users of the account. The list holds names and addresses; all else costs a call for each user. */
import DataLoader from 'dataloader';
import { settleEach } from '../lib/settleEach.js';
import type { CallOptions } from '../rest/restCaller.js';
import type { RestClient } from '../rest/restClient.js';
import type { RowOf } from '../rest/rowDecoder.js';
import type { userDetailsRow, userRow } from '../rest/rows.js';
import { createCollection } from './collection.js';
import { toOptionalText } from './wireValues.js';

export interface User {
  __typename: 'User';
  id: number;
  userName: string;
  emailAddress: string | null;
}

export interface UserDetails extends User {
  timezoneName: string | null;
  firstName: string | null;
  lastName: string | null;
  mobilePhone: string | null;
}

export interface UiPreferences {
  dateFormat: string;
  timeFormat: string;
}

export function toUser(row: RowOf<typeof userRow>): User {
  return {
    __typename: 'User',
    id: row.id,
    userName: row.user_name,
    emailAddress: toOptionalText(row.email_address),
  };
}

export function toUserDetails(row: RowOf<typeof userDetailsRow>): UserDetails {
  return {
    ...toUser(row),
    timezoneName: toOptionalText(row.timezone_name),
    firstName: toOptionalText(row.first_name),
    lastName: toOptionalText(row.last_name),
    mobilePhone: toOptionalText(row.mobile_phone),
  };
}

export type Users = ReturnType<typeof createUsers>;

export function createUsers(rest: RestClient, options: CallOptions) {
  const collection = createCollection(async () => (await rest.users(options)).map(toUser));
  const details = new DataLoader<number, UserDetails | null>((ids) =>
    settleEach(ids, async (id) => {
      const row = await rest.user(id, options);
      return row && toUserDetails(row);
    }),
  );

  return {
    all: async () => (await collection.load()).items,
    /** With the details: for one user they cost no more than the user alone. */
    byId: (id: number): Promise<User | null> => details.load(id),
    detailsOf: (id: number) => details.load(id),
    async uiPreferences(): Promise<UiPreferences | null> {
      const row = await rest.uiPreferences(options);
      return row && { dateFormat: row.date_format, timeFormat: row.time_format };
    },
  };
}
