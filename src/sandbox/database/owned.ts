/**
 * Looks a thing up inside the caller's account. Another account's thing is answered exactly like one
 * that does not exist, so that nobody can tell them apart.
 */
import type { RequestContext } from '../endpoints/endpoint.js';
import { createNotFoundError } from '../server/httpError.js';

type OwnedTable = 'organization' | 'user' | 'site' | 'device' | 'channel' | 'stream';

/** A list never answers more than this, silently: the platform does the same. */
export const LIST_LIMIT = 10_000;

/** @throws Refusal 404 when the account has no such row. */
export function requireRow<Row>(context: RequestContext, table: OwnedTable, fields: string, id: number): Row {
  const sql = `SELECT ${fields} FROM ${table} WHERE id = ? AND account_id = ?`;
  const row = context.db.one<Row>(sql, id, context.client.accountId);
  if (row === undefined) throw createNotFoundError(`There is no ${table} with id ${id}.`);
  return row;
}

/** @throws Refusal 404 when the account has no such row. */
export function requireOwned(context: RequestContext, table: OwnedTable, id: number): void {
  requireRow(context, table, 'id', id);
}

/** All of the account's rows of a table, by id. */
export function listRows<Row>(context: RequestContext, table: OwnedTable, fields: string): Row[] {
  const sql = `SELECT ${fields} FROM ${table} WHERE account_id = ? ORDER BY id LIMIT ${LIST_LIMIT}`;
  return context.db.all<Row>(sql, context.client.accountId);
}
