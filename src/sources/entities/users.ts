/** Loads users. The list has names and addresses; all other fields cost one call for each user. */
import type { RowOf } from '../../rest/decode/rowDecoder.js';
import type { uiPreferencesRow, userDetailsRow, userRow } from '../../rest/decode/rows.js';
import type { RestClient } from '../../rest/restClient.js';
import { createEntitySource } from '../core/entitySource.js';
import { readOne } from '../core/keyedSource.js';
import { createKeyedLoader } from '../core/loaders.js';
import type { Reader } from '../core/reader.js';
import { checkShape, isObjectOrNull } from '../core/storedShape.js';
import { emptyToNull } from '../core/wireValues.js';

export type User = ReturnType<typeof toUser>;
export type UiPreferences = NonNullable<ReturnType<typeof toUiPreferences>>;

function toUser(row: RowOf<typeof userRow>) {
  return {
    __typename: 'User' as const,
    id: row.id,
    userName: row.user_name,
    emailAddress: emptyToNull(row.email_address),
  };
}

function toUserDetails(row: RowOf<typeof userDetailsRow>) {
  return {
    ...toUser(row),
    timezoneName: emptyToNull(row.timezone_name),
    firstName: emptyToNull(row.first_name),
    lastName: emptyToNull(row.last_name),
    mobilePhone: emptyToNull(row.mobile_phone),
  };
}

function toUiPreferences(row: RowOf<typeof uiPreferencesRow> | null) {
  return row && { dateFormat: row.date_format, timeFormat: row.time_format };
}

export type Users = ReturnType<typeof createUsers>;

export function createUsers(rest: RestClient, reader: Reader) {
  const one = readOne(reader, 'user', rest.user, toUserDetails);
  const details = createKeyedLoader(reader, one);
  const users = createEntitySource<RowOf<typeof userRow>, User>(reader, {
    name: 'users',
    kind: 'user',
    toItem: toUser,
    list: rest.users,
    one: { ...one, loadShared: async (id) => details.load(id) },
  });

  return {
    ...users,
    detailsOf: (id: number) => details.load(id),
    uiPreferences: (): Promise<UiPreferences | null> =>
      reader.read({
        kind: 'uiPreferences',
        template: rest.uiPreferences.template,
        load: async (options) => toUiPreferences(await rest.uiPreferences(options)),
        deserialize: (stored) => checkShape(stored, isObjectOrNull),
      }),
  };
}
