/** Organizations and users of the caller's account. */
import type { WireOrganization, WireUiPreferences, WireUser } from '../../rest/wire.js';
import { listRows, requireRow } from '../database/owned.js';
import { toUserDetails, USER_FIELDS } from '../database/rows.js';
import { createNotFoundError } from '../httpError.js';
import { createEndpoint, list, one, withTag } from './endpoint.js';
import { pathId } from './parameter.js';

const ORGANIZATION_FIELDS = 'id, account_id, display_name';

export const accountEndpoints = withTag('Account', [
  createEndpoint({
    path: '/v2.0/account/organization',
    operationId: 'listOrganizations',
    summary: 'All organizations of the account',
    response: list('Organization'),
    handle: (_, context) => listRows<WireOrganization>(context, 'organization', ORGANIZATION_FIELDS),
  }),
  createEndpoint({
    path: '/v2.0/account/organization/{organizationId}',
    operationId: 'getOrganization',
    summary: 'One organization',
    parameters: { organizationId: pathId('The organization.') },
    response: one('Organization'),
    handle: ({ organizationId }, context) =>
      requireRow<WireOrganization>(context, 'organization', ORGANIZATION_FIELDS, organizationId),
  }),
  createEndpoint({
    path: '/v2.0/user',
    operationId: 'listUsers',
    summary: 'All users of the account, briefly',
    response: list('User'),
    handle: (_, context) =>
      listRows<object>(context, 'user', 'id, user_name, email_address').map(
        (row): WireUser => toUserDetails(row),
      ),
  }),
  createEndpoint({
    path: '/v2.0/user/uiPreferences',
    operationId: 'getUiPreferences',
    summary: "The date and time formats of the API client's user",
    response: one('UiPreferences'),
    handle: (_, { db, client }) => {
      const sql = `SELECT date_format, time_format FROM user
        WHERE id = (SELECT user_id FROM client WHERE id = ?)`;
      const preferences = db.one<WireUiPreferences>(sql, client.id);
      if (preferences === undefined) throw createNotFoundError('The API client has no user.');
      return preferences;
    },
  }),
  createEndpoint({
    path: '/v2.0/user/{userId}',
    operationId: 'getUser',
    summary: 'One user, in full',
    parameters: { userId: pathId('The user.') },
    response: one('UserDetails'),
    handle: ({ userId }, context) => toUserDetails(requireRow<object>(context, 'user', USER_FIELDS, userId)),
  }),
]);
