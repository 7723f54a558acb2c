/** Sites, and what they hold. */
import type { WireDevice } from '../../rest/wire.js';
import { LIST_LIMIT, listRows, requireOwned, requireRow } from '../database/owned.js';
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
import { createEndpoint, type SandboxEndpoint } from './endpoint.js';
import { pathId } from './parameter.js';

const tag = 'Site';
const siteId = pathId('The site.');

export const siteEndpoints: readonly SandboxEndpoint[] = [
  createEndpoint({
    method: 'GET',
    path: '/v2.0/site',
    operationId: 'listSites',
    tag,
    summary: 'All sites of the account',
    parameters: {},
    response: { kind: 'list', schema: 'Site' },
    handle: (_, context) => listRows<SiteRow>(context, 'site', SITE_FIELDS).map(toSite),
  }),
  createEndpoint({
    method: 'GET',
    path: '/v2.0/site/{siteId}',
    operationId: 'getSite',
    tag,
    summary: 'One site',
    parameters: { siteId },
    response: { kind: 'one', schema: 'Site' },
    handle: (values, context) => toSite(requireRow(context, 'site', SITE_FIELDS, values.siteId)),
  }),
  createEndpoint({
    method: 'GET',
    path: '/v2.0/site/{siteId}/devices',
    operationId: 'listSiteDevices',
    tag,
    summary: 'The devices installed at a site',
    parameters: { siteId },
    response: { kind: 'list', schema: 'Device' },
    handle: (values, context) => {
      requireOwned(context, 'site', values.siteId);
      const sql = `${DEVICE_QUERY} AND d.site_id = ? ORDER BY d.id LIMIT ${LIST_LIMIT}`;
      return context.db.all<WireDevice>(sql, context.client.accountId, values.siteId);
    },
  }),
  createEndpoint({
    method: 'GET',
    path: '/v2.0/site/{siteId}/streams',
    operationId: 'listSiteStreams',
    tag,
    summary: 'The streams of a site',
    parameters: { siteId },
    response: { kind: 'list', schema: 'Stream' },
    handle: (values, context) => {
      requireOwned(context, 'site', values.siteId);
      const sql = `SELECT ${STREAM_FIELDS} FROM stream WHERE site_id = ? ORDER BY id LIMIT ${LIST_LIMIT}`;
      return context.db.all<StreamRow>(sql, values.siteId).map(toStream);
    },
  }),
  createEndpoint({
    method: 'GET',
    path: '/v2.0/site/{siteId}/customAttributes',
    operationId: 'listSiteAttributes',
    tag,
    summary: 'The custom attributes of a site',
    parameters: { siteId },
    response: { kind: 'list', schema: 'AttributeValue' },
    handle: (values, context) => {
      requireOwned(context, 'site', values.siteId);
      return listValuesOf(context, 'site', values.siteId);
    },
  }),
  createEndpoint({
    method: 'GET',
    path: '/v2.0/site/{siteId}/streams/customAttributes',
    operationId: 'listSiteStreamAttributes',
    tag,
    summary: 'The custom attributes of all streams of a site',
    parameters: { siteId },
    response: { kind: 'list', schema: 'AttributeValue' },
    handle: (values, context) => {
      requireOwned(context, 'site', values.siteId);
      return listValuesOfSiteStreams(context, values.siteId);
    },
  }),
  createEndpoint({
    method: 'GET',
    path: '/v2.0/site/customAttributes',
    operationId: 'listAllSiteAttributes',
    tag,
    summary: 'The custom attributes of all sites',
    parameters: {},
    response: { kind: 'list', schema: 'AttributeValue' },
    handle: (_, context) => listAttributeValues(context, 'site'),
  }),
  createEndpoint({
    method: 'POST',
    path: '/v2.0/site/customAttributes',
    operationId: 'setSiteAttributes',
    tag,
    summary: 'Set custom attributes of sites',
    description: 'Sets all values of the body, or none: a value that is there already is replaced.',
    parameters: {},
    bodySchema: 'AttributeChange',
    response: { kind: 'none' },
    handle: (_, context, body) => setAttributes(context, 'site', body),
  }),
  createEndpoint({
    method: 'GET',
    path: '/v2.0/site/customAttributes/names',
    operationId: 'listSiteAttributeNames',
    tag,
    summary: 'The custom attributes that sites can have',
    parameters: {},
    response: { kind: 'list', schema: 'AttributeName' },
    handle: (_, context) => listAttributeNames(context, 'site'),
  }),
];
