/** The account with its users and organizations, sites, streams, channels and thresholds. */
import type {
  WireAttributeName,
  WireAttributeValue,
  WireDevice,
  WireThresholdLevel,
  WireThresholdStatus,
  WireUiPreferences,
} from '../../rest/wire.js';
import { type ScalarSampleRow, toWire } from '../database/rows.js';
import { createBadRequestError, createNotFoundError } from '../httpError.js';
import { readRequestBody } from '../openapi/requestBody.js';
import type { RequestContext } from '../requestContext.js';
import { levelNameOf, readThresholdBody, toResponseLevels } from '../thresholdLevels.js';
import { DEVICE_QUERY } from './device.js';
import { createEndpoint, list, none, one, type UntaggedEndpoint, withTag } from './endpoint.js';
import { fieldsOf, listRows, MAX_LIST_ROWS, type OwnedTable, owns, requireRow } from './owned.js';
import { ownedId, pathId } from './parameter.js';
import { lastRow } from './sampleQueries.js';

interface TableOptions {
  /** In the singular; also the name of the entity. */
  table: OwnedTable;
  schema: string;
  /** Default `/v2.0/` and the table. */
  path?: string;
}

/** The rows of a table in the account, and one of them by its id. */
function tableEndpoints({ table, schema, path = `/v2.0/${table}` }: TableOptions) {
  const fields = fieldsOf(schema);
  const idName = `${table}Id`;
  return [
    createEndpoint({
      path,
      operationId: `list${schema}s`,
      summary: `All ${table}s of the account`,
      response: list(schema),
      handle: (_, context) => listRows<object>(context, table, fields).map(toWire),
    }),
    createEndpoint({
      path: `${path}/{${idName}}`,
      operationId: `get${schema}`,
      summary: `One ${table}`,
      parameters: { [idName]: pathId(`The ${table}.`) },
      response: one(schema),
      handle: (values, context) => toWire(requireRow(context, table, fields, Number(values[idName]))),
    }),
  ];
}

type AttributeTarget = 'site' | 'stream';

const VALUES = `SELECT a.id AS id, a.display_name AS display_name, v.parent_id AS parent_id, v.value AS value
  FROM attribute a JOIN attribute_value v ON v.attribute_id = a.id`;
const NAMES = `SELECT id, display_name FROM attribute
  WHERE account_id = ? AND target = ? ORDER BY id LIMIT ${MAX_LIST_ROWS}`;
const ORDER = `ORDER BY v.parent_id, a.id LIMIT ${MAX_LIST_ROWS}`;

function attributeEndpoints(target: AttributeTarget): UntaggedEndpoint[] {
  const title = target === 'site' ? 'Site' : 'Stream';
  return [
    createEndpoint({
      path: `/v2.0/${target}/{${target}Id}/customAttributes`,
      operationId: `list${title}Attributes`,
      summary: `The custom attributes of a ${target}`,
      parameters: { [`${target}Id`]: ownedId(target) },
      response: list('AttributeValue'),
      handle: (values, { db }): WireAttributeValue[] =>
        db.all(`${VALUES} WHERE v.parent_id = ? AND a.target = ? ${ORDER}`, ...Object.values(values), target),
    }),
    createEndpoint({
      path: `/v2.0/${target}/customAttributes`,
      operationId: `listAll${title}Attributes`,
      summary: `The custom attributes of all ${target}s`,
      response: list('AttributeValue'),
      handle: (_, { db, client }): WireAttributeValue[] =>
        db.all(`${VALUES} WHERE a.account_id = ? AND a.target = ? ${ORDER}`, client.accountId, target),
    }),
    createEndpoint({
      method: 'POST',
      path: `/v2.0/${target}/customAttributes`,
      operationId: `set${title}Attributes`,
      summary: `Set custom attributes of ${target}s`,
      description: 'Sets all values of the body, or none. Replaces existing values.',
      bodySchema: 'AttributeChange',
      response: none,
      handle: (_, context, body) => setAttributes(context, target, body),
    }),
    createEndpoint({
      path: `/v2.0/${target}/customAttributes/names`,
      operationId: `list${title}AttributeNames`,
      summary: `The custom attributes that ${target}s can have`,
      response: list('AttributeName'),
      handle: (_, { db, client }): WireAttributeName[] => db.all(NAMES, client.accountId, target),
    }),
  ];
}

const VALUES_OF_SITE_STREAMS = `${VALUES} WHERE v.parent_id IN (SELECT id FROM stream WHERE site_id = ?)
  AND a.target = 'stream' ${ORDER}`;

type NewValue = Omit<WireAttributeValue, 'display_name'>;

/**
 * Sets all values of the body, or none. The attributes and parents must exist.
 * @throws HttpError 400 for a malformed body, 404 with the name of the unknown attribute or parent.
 */
function setAttributes(context: RequestContext, target: AttributeTarget, body: unknown): void {
  const { db, client } = context;
  const { attributes } = readRequestBody('AttributeChange', body) as { attributes: NewValue[] };
  const attribute = 'SELECT id FROM attribute WHERE id = ? AND account_id = ? AND target = ?';
  const upsert = `INSERT INTO attribute_value (attribute_id, parent_id, value) VALUES (?, ?, ?)
    ON CONFLICT (attribute_id, parent_id) DO UPDATE SET value = excluded.value`;
  db.transaction(() => {
    for (const [index, { id, parent_id, value }] of attributes.entries()) {
      const at = `attributes[${index}]`;
      if (!db.one(attribute, id, client.accountId, target)) {
        throw createNotFoundError(`${at}.id: there is no ${target} attribute with id ${id}.`);
      }
      if (!owns(context, target, parent_id)) {
        throw createNotFoundError(`${at}.parent_id: there is no ${target} with id ${parent_id}.`);
      }
      db.run(upsert, id, parent_id, value);
    }
  });
}

/** Listed here, because the schema has these fields in another order. */
const USER_FIELDS = 'id, user_name, timezone_name, email_address, first_name, last_name, mobile_phone';

const siteId = ownedId('site');

const siteEndpoints = withTag('Site', [
  ...tableEndpoints({ table: 'site', schema: 'Site' }),
  createEndpoint({
    path: '/v2.0/site/{siteId}/devices',
    operationId: 'listSiteDevices',
    summary: 'The devices installed at a site',
    parameters: { siteId },
    response: list('Device'),
    handle: (values, context) => {
      const sql = `${DEVICE_QUERY} AND d.site_id = ? ORDER BY d.id LIMIT ${MAX_LIST_ROWS}`;
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
      const sql = `SELECT ${fieldsOf('Stream')} FROM stream WHERE site_id = ? ORDER BY id LIMIT ${MAX_LIST_ROWS}`;
      return context.db.all<object>(sql, values.siteId).map(toWire);
    },
  }),
  createEndpoint({
    path: '/v2.0/site/{siteId}/streams/customAttributes',
    operationId: 'listSiteStreamAttributes',
    summary: 'The custom attributes of all streams of a site',
    parameters: { siteId },
    response: list('AttributeValue'),
    handle: (values, { db }): WireAttributeValue[] => db.all(VALUES_OF_SITE_STREAMS, values.siteId),
  }),
  ...attributeEndpoints('site'),
]);

const accountEndpoints = withTag('Account', [
  ...tableEndpoints({ table: 'organization', schema: 'Organization', path: '/v2.0/account/organization' }),
  createEndpoint({
    path: '/v2.0/user',
    operationId: 'listUsers',
    summary: 'All users of the account, briefly',
    response: list('User'),
    handle: (_, context) => listRows<object>(context, 'user', fieldsOf('User')).map(toWire),
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
    handle: ({ userId }, context) => toWire(requireRow(context, 'user', USER_FIELDS, userId)),
  }),
]);

const streamId = ownedId('stream');

function levelsOf(context: RequestContext, id: number): WireThresholdLevel[] | undefined {
  const row = context.db.one<{ levels: string }>('SELECT levels FROM threshold WHERE stream_id = ?', id);
  return row && (JSON.parse(row.levels) as WireThresholdLevel[]);
}

function readStatus(context: RequestContext, id: number): WireThresholdStatus {
  const value = lastRow<ScalarSampleRow>(context, 'scalar', id)?.value;
  const levels = levelsOf(context, id);
  if (typeof value !== 'number' || !levels) return {};
  const status = levelNameOf(levels, value);
  return status === undefined ? {} : { Status: status };
}

/** An empty list of levels removes the threshold. The response of a GET then has no `levels`. */
function writeThreshold(context: RequestContext, id: number, levels: readonly WireThresholdLevel[]): void {
  requireSampleActionStreams(context, levels);
  if (levels.length === 0) {
    context.db.run('DELETE FROM threshold WHERE stream_id = ?', id);
    return;
  }
  const sql = 'INSERT OR REPLACE INTO threshold (stream_id, levels) VALUES (?, ?)';
  context.db.run(sql, id, JSON.stringify(levels));
}

function requireSampleActionStreams(context: RequestContext, levels: readonly WireThresholdLevel[]): void {
  const actions = levels.flatMap((level) => level.sample_actions ?? []);
  for (const { stream_id } of actions) {
    if (stream_id === undefined || owns(context, 'stream', stream_id)) continue;
    throw createBadRequestError(`sample_actions: there is no stream with id ${stream_id}.`);
  }
}

const thresholdEndpoints = withTag('Threshold', [
  createEndpoint({
    path: '/v2.0/stream/{streamId}/threshold',
    operationId: 'getThreshold',
    summary: 'The threshold of a stream',
    description: 'For a stream without a threshold the response has no `levels`.',
    parameters: { streamId },
    response: one('Threshold'),
    handle: (values, context) => {
      const levels = levelsOf(context, values.streamId);
      return levels ? { levels: toResponseLevels(levels) } : {};
    },
  }),
  createEndpoint({
    method: 'POST',
    path: '/v2.0/stream/{streamId}/threshold',
    operationId: 'setThreshold',
    summary: 'Replace the threshold of a stream',
    description:
      'Levels must be in ascending order of `upper_limit`. Only the last level may leave it out. ' +
      'An empty list removes the threshold.',
    parameters: { streamId },
    bodySchema: 'ThresholdChange',
    response: none,
    handle: (values, context, body) => {
      writeThreshold(context, values.streamId, readThresholdBody(body));
    },
  }),
  createEndpoint({
    path: '/v2.0/stream/{streamId}/threshold/status',
    operationId: 'getThresholdStatus',
    summary: "The level of a stream's last sample",
    description: 'The response has no `Status` without a threshold, a sample or a numeric value.',
    parameters: { streamId },
    response: one('ThresholdStatus'),
    handle: (values, context) => readStatus(context, values.streamId),
  }),
]);

export const entityEndpoints = [
  ...accountEndpoints,
  ...siteEndpoints,
  ...withTag('Channel', tableEndpoints({ table: 'channel', schema: 'Channel' })),
  ...withTag('Stream', [
    ...tableEndpoints({ table: 'stream', schema: 'Stream' }),
    ...attributeEndpoints('stream'),
  ]),
  ...thresholdEndpoints,
];
