/** Sites, their devices, streams and custom attributes. */
import type { WireDevice } from '../../rest/wire.js';
import { LIST_LIMIT, listRows, requireRow } from '../database/owned.js';
import {
  SITE_FIELDS,
  type SiteRow,
  STREAM_FIELDS,
  type StreamRow,
  toSite,
  toStream,
} from '../database/rows.js';
import {
  listAttributeNames,
  listAttributeValues,
  listValuesOf,
  listValuesOfSiteStreams,
  setAttributes,
} from './customAttributes.js';
import { DEVICE_QUERY } from './device.js';
import { createEndpoint, list, none, one, type SandboxEndpoint } from './endpoint.js';
import { ownedId } from './parameter.js';

const tag = 'Site';
const siteId = ownedId('site');

export const siteEndpoints: readonly SandboxEndpoint[] = [
  createEndpoint({
    path: '/v2.0/site',
    operationId: 'listSites',
    tag,
    summary: 'All sites of the account',
    response: list('Site'),
    handle: (_, context) => listRows<SiteRow>(context, 'site', SITE_FIELDS).map(toSite),
  }),
  createEndpoint({
    path: '/v2.0/site/{siteId}',
    operationId: 'getSite',
    tag,
    summary: 'One site',
    parameters: { siteId },
    response: one('Site'),
    handle: (values, context) => toSite(requireRow(context, 'site', SITE_FIELDS, values.siteId)),
  }),
  createEndpoint({
    path: '/v2.0/site/{siteId}/devices',
    operationId: 'listSiteDevices',
    tag,
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
    tag,
    summary: 'The streams of a site',
    parameters: { siteId },
    response: list('Stream'),
    handle: (values, context) => {
      const sql = `SELECT ${STREAM_FIELDS} FROM stream WHERE site_id = ? ORDER BY id LIMIT ${LIST_LIMIT}`;
      return context.db.all<StreamRow>(sql, values.siteId).map(toStream);
    },
  }),
  createEndpoint({
    path: '/v2.0/site/{siteId}/customAttributes',
    operationId: 'listSiteAttributes',
    tag,
    summary: 'The custom attributes of a site',
    parameters: { siteId },
    response: list('AttributeValue'),
    handle: (values, context) => listValuesOf(context, 'site', values.siteId),
  }),
  createEndpoint({
    path: '/v2.0/site/{siteId}/streams/customAttributes',
    operationId: 'listSiteStreamAttributes',
    tag,
    summary: 'The custom attributes of all streams of a site',
    parameters: { siteId },
    response: list('AttributeValue'),
    handle: (values, context) => listValuesOfSiteStreams(context, values.siteId),
  }),
  createEndpoint({
    path: '/v2.0/site/customAttributes',
    operationId: 'listAllSiteAttributes',
    tag,
    summary: 'The custom attributes of all sites',
    response: list('AttributeValue'),
    handle: (_, context) => listAttributeValues(context, 'site'),
  }),
  createEndpoint({
    method: 'POST',
    path: '/v2.0/site/customAttributes',
    operationId: 'setSiteAttributes',
    tag,
    summary: 'Set custom attributes of sites',
    description: 'Sets all values of the body, or none. Replaces existing values.',
    bodySchema: 'AttributeChange',
    response: none,
    handle: (_, context, body) => setAttributes(context, 'site', body),
  }),
  createEndpoint({
    path: '/v2.0/site/customAttributes/names',
    operationId: 'listSiteAttributeNames',
    tag,
    summary: 'The custom attributes that sites can have',
    response: list('AttributeName'),
    handle: (_, context) => listAttributeNames(context, 'site'),
  }),
];
