/** The account with its users and organizations, and sites with their devices, streams and custom attributes. */
import type { WireDevice, WireOrganization, WireUiPreferences, WireUser } from '../../rest/wire.js';
import { LIST_LIMIT, listRows, requireRow } from '../database/owned.js';
import {
  SITE_FIELDS,
  type SiteRow,
  STREAM_FIELDS,
  type StreamRow,
  toSite,
  toStream,
  toUserDetails,
  USER_FIELDS,
} from '../database/rows.js';
import { createNotFoundError } from '../httpError.js';
import { attributeEndpoints, listValuesOfSiteStreams } from './customAttributes.js';
import { DEVICE_QUERY } from './device.js';
import { createEndpoint, list, one, withTag } from './endpoint.js';
import { ownedId, pathId } from './parameter.js';

const siteId = ownedId('site');

export const siteEndpoints = withTag('Site', [
  createEndpoint({
    path: '/v2.0/site',
    operationId: 'listSites',
    summary: 'All sites of the account',
    response: list('Site'),
    handle: (_, context) => listRows<SiteRow>(context, 'site', SITE_FIELDS).map(toSite),
  }),
  createEndpoint({
    path: '/v2.0/site/{siteId}',
    operationId: 'getSite',
    summary: 'One site',
    parameters: { siteId },
    response: one('Site'),
    handle: (values, context) => toSite(requireRow(context, 'site', SITE_FIELDS, values.siteId)),
  }),
  createEndpoint({
    path: '/v2.0/site/{siteId}/devices',
    operationId: 'listSiteDevices',
    summary: 'The devices installed at a site',
    parameters: { siteId },
    response: list('Device'),
    handle: (values, context) => {
      const sql = `${DEVICE_QUERY} AND d.site_id = ? ORDER BY d.id LIMIT ${LIST_LIMIT}`;
      return context.db.all<WireDevice>(sql, context.client.accountId, values.siteId);
    },
  }),
  createEndpoint({
    path: '/v2.0/site/{siteId}/streams',
    operationId: 'listSiteStreams',
    summary: 'The streams of a site',
    parameters: { siteId },
    response: list('Stream'),
    handle: (values, context) => {
      const sql = `SELECT ${STREAM_FIELDS} FROM stream WHERE site_id = ? ORDER BY id LIMIT ${LIST_LIMIT}`;
      return context.db.all<StreamRow>(sql, values.siteId).map(toStream);
    },
  }),
  createEndpoint({
    path: '/v2.0/site/{siteId}/streams/customAttributes',
    operationId: 'listSiteStreamAttributes',
    summary: 'The custom attributes of all streams of a site',
    parameters: { siteId },
    response: list('AttributeValue'),
    handle: (values, context) => listValuesOfSiteStreams(context, values.siteId),
  }),
  ...attributeEndpoints('site'),
]);

const ORGANIZATION_FIELDS = 'id, account_id, display_name';

/** Organizations and users of the caller's account. */
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
