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
import { attributeEndpoints, listValuesOfSiteStreams } from './customAttributes.js';
import { DEVICE_QUERY } from './device.js';
import { createEndpoint, list, one, withTag } from './endpoint.js';
import { ownedId } from './parameter.js';

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
