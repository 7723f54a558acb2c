/** Checks an input against what the platform has: with what is known, and once more past all caches before anything counts as unknown. */
import type { Sources } from '../../sources/sources.js';
import type { UserError } from '../../sources/writes/userErrors.js';
import type { Context } from '../context.js';

/** What has just been set up elsewhere may not be in the caches yet. */
export async function checkWithRefresh<Checked extends { errors: readonly UserError[] }>(
  context: Context,
  check: (sources: Sources) => Promise<Checked>,
): Promise<Checked> {
  const checked = await check(context.sources);
  if (!checked.errors.some(({ code }) => code === 'NOT_FOUND')) return checked;
  context.bypassCaches();
  return check(context.sources);
}

/** Of these ids, those that exist; ids that are none do not. */
export async function findExistingIds(
  ids: readonly number[],
  byId: (id: number) => object | null | Promise<object | null>,
): Promise<ReadonlySet<number>> {
  const unique = [...new Set(ids)].filter((id) => !Number.isNaN(id));
  const found = await Promise.all(unique.map(byId));
  return new Set(unique.filter((_, index) => found[index] !== null));
}
