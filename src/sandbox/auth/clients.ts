/** The API clients (Key and Secret) that may request tokens, and the account of each. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Queries } from '../database/queries.js';
import type { ApiClient } from '../requestContext.js';
import { FIRST_ACCOUNT, SECOND_ACCOUNT } from '../seed/planWorld.js';

export interface SandboxCredential {
  readonly key: string;
  readonly secret: string;
  readonly accountName: string;
}

/** The credentials of both accounts. The first account's are configurable. */
export function createCredentials(
  key: string,
  secret: string,
): readonly [SandboxCredential, SandboxCredential] {
  const neighbour = { key: 'neighbour', secret: 'neighbour', accountName: SECOND_ACCOUNT };
  return [{ key, secret, accountName: FIRST_ACCOUNT }, neighbour];
}

function hashOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

/** Sets the clients' credentials. Client ids do not change, so that the batch cursors stay valid. */
export function storeClients(db: Queries, credentials: readonly SandboxCredential[]): void {
  db.run('DELETE FROM client');
  for (const [index, { key, secret, accountName }] of credentials.entries()) {
    const sql = `INSERT INTO client (id, account_id, user_id, key, secret_hash)
      SELECT ?, a.id, (SELECT min(u.id) FROM user u WHERE u.account_id = a.id), ?, ?
      FROM account a WHERE a.display_name = ?`;
    db.run(sql, index + 1, key, hashOf(secret).toString('hex'), accountName);
  }
}

export function findClient(db: Queries, key: string, secret: string): ApiClient | undefined {
  const sql = 'SELECT id, account_id AS accountId, secret_hash AS hash FROM client WHERE key = ?';
  const row = db.one<ApiClient & { hash: string }>(sql, key);
  if (!row || !timingSafeEqual(Buffer.from(row.hash, 'hex'), hashOf(secret))) return undefined;
  return { id: row.id, accountId: row.accountId };
}
