/** Custom attributes of sites and streams. The two kinds differ only in their parent. */
import type { WireAttributeName, WireAttributeValue } from '../../rest/wire.js';
import { createNotFoundError } from '../httpError.js';
import { readRequestBody } from '../openapi/requestBody.js';
import type { RequestContext } from '../requestContext.js';
import { createEndpoint, list, none, type UntaggedEndpoint } from './endpoint.js';
import { MAX_LIST_ROWS, owns } from './owned.js';
import { ownedId } from './parameter.js';

type AttributeTarget = 'site' | 'stream';

const VALUES = `SELECT a.id AS id, a.display_name AS display_name, v.parent_id AS parent_id, v.value AS value
  FROM attribute a JOIN attribute_value v ON v.attribute_id = a.id`;
const NAMES = `SELECT id, display_name FROM attribute
  WHERE account_id = ? AND target = ? ORDER BY id LIMIT ${MAX_LIST_ROWS}`;
const ORDER = `ORDER BY v.parent_id, a.id LIMIT ${MAX_LIST_ROWS}`;

export function attributeEndpoints(target: AttributeTarget): UntaggedEndpoint[] {
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

export function listValuesOfSiteStreams({ db }: RequestContext, siteId: number): WireAttributeValue[] {
  const streams = 'SELECT id FROM stream WHERE site_id = ?';
  return db.all(`${VALUES} WHERE v.parent_id IN (${streams}) AND a.target = 'stream' ${ORDER}`, siteId);
}

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
