/** Single values that survive a restart: the signing key, the seed, the time of the last simulated sample. */
import type { Queries } from './queries.js';

export type MetaName = 'seed' | 'simulated_until' | 'signing_key' | 'token_version';

export function readMeta(db: Queries, name: MetaName): string | undefined {
  return db.one<{ value: string }>('SELECT value FROM meta WHERE name = ?', name)?.value;
}

export function writeMeta(db: Queries, name: MetaName, value: string): void {
  db.run('INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)', name, value);
}
