/** The steps that mutations share: check an input against existing entities, then send the write once. */
import type { Sources } from '../../sources/sources.js';
import type { UserError } from '../../sources/writes/userErrors.js';
import type { Context } from '../context.js';

/**
 * Checks an input with cached data, and a second time without caches if something was not found: an entity that has just
 * been created elsewhere may be missing in the caches.
 */
export async function checkWithRefresh<Checked extends { errors: readonly UserError[] }>(
  context: Context,
  check: (sources: Sources) => Promise<Checked>,
): Promise<Checked> {
  const checked = await check(context.sources);
  if (!checked.errors.some(({ code }) => code === 'NOT_FOUND')) return checked;
  context.bypassCaches();
  return check(context.sources);
}

/** Returns the ids that exist. Ignores NaN, which stands for an invalid id. */
export async function findExistingIds(
  ids: readonly number[],
  byId: (id: number) => object | null | Promise<object | null>,
): Promise<ReadonlySet<number>> {
  const unique = [...new Set(ids)].filter((id) => !Number.isNaN(id));
  const entities = await Promise.all(unique.map(byId));
  return new Set(unique.filter((_, index) => entities[index] !== null));
}

/** Sends a write. The rest of the operation bypasses the caches, even after a failure: the write may have taken effect. */
export async function writeOnce(context: Context, write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } finally {
    context.bypassCaches();
  }
}
