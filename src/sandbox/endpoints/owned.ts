/**
 * Finds rows inside the caller's account. The response for another account's row equals the response for a missing row,
 * so that a caller cannot detect ids of other accounts.
 */
import { createNotFoundError } from '../httpError.js';
import { schemas } from '../openapi/schemas.js';
import type { RequestContext } from '../requestContext.js';

export type OwnedTable = 'organization' | 'user' | 'site' | 'device' | 'channel' | 'stream';

/** The maximum length of a list. Further rows are left out silently, as on the platform. */
export const MAX_LIST_ROWS = 10_000;

/** The fields of a schema, in the order of the schema. The table of the schema has them as columns. */
export function fieldsOf(schema: string): string {
  return Object.keys(schemas[schema]?.['properties'] ?? {}).join(', ');
}

/** @throws HttpError 404 when the account has no such row. */
export function requireRow<Row>(context: RequestContext, table: OwnedTable, fields: string, id: number): Row {
  const sql = `SELECT ${fields} FROM ${table} WHERE id = ? AND account_id = ?`;
  const row = context.db.one<Row>(sql, id, context.client.accountId);
  if (row === undefined) throw createNotFoundError(`There is no ${table} with id ${id}.`);
  return row;
}

export function owns({ db, client }: RequestContext, table: OwnedTable, id: number): boolean {
  return (
    db.one(`SELECT id FROM ${table} WHERE id = ? AND account_id = ?`, id, client.accountId) !== undefined
  );
}

/** All rows of a table that belong to the account, by id. */
export function listRows<Row>(context: RequestContext, table: OwnedTable, fields: string): Row[] {
  const sql = `SELECT ${fields} FROM ${table} WHERE account_id = ? ORDER BY id LIMIT ${MAX_LIST_ROWS}`;
  return context.db.all<Row>(sql, context.client.accountId);
}
