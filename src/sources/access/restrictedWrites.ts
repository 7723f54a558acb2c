/** Holds writes to what a caller sees. Mutations look for their targets among that before; this holds where one forgets to. */
import { GatewayError } from '../../errors.js';
import type { WireThresholdLevel } from '../../rest/wire.js';
import type { ThresholdLevel } from '../entities/thresholds.js';
import type { Sources } from '../sources.js';
import type { Visibility } from './visibility.js';

export function restrictWrites(
  { writes, thresholds }: Sources,
  { seesSite, canSeeStream }: Visibility,
): Sources['writes'] {
  return {
    async siteAttributes(values) {
      await requireAll(values, ({ parent_id }) => seesSite(parent_id));
      return writes.siteAttributes(values);
    },
    async streamAttributes(values) {
      await requireAll(values, ({ parent_id }) => canSeeStream(parent_id));
      return writes.streamAttributes(values);
    },
    async threshold(streamId, levels) {
      await requireAll([streamId, ...listStreams(levels)], canSeeStream);
      const groups = listGroups(levels);
      if (groups.length > 0) throwOnForeignGroups(groups, await thresholds.levels(streamId));
      return writes.threshold(streamId, levels);
    },
    acknowledge: rejectQueueAccess,
    backfill: rejectQueueAccess,
  };
}

async function requireAll<Item>(
  items: readonly Item[],
  sees: (item: Item) => Promise<boolean>,
): Promise<void> {
  const seen = await Promise.all(items.map(sees));
  if (seen.includes(false)) throw new GatewayError('FORBIDDEN', 'This is not among what the caller sees.');
}

function listStreams(levels: readonly WireThresholdLevel[]): number[] {
  const actions = levels.flatMap(({ sample_actions = [] }) => sample_actions ?? []);
  return actions.map(({ stream_id }) => stream_id).filter((id) => typeof id === 'number');
}

/** Groups, of users or of streams, that the levels name. */
function listGroups(levels: readonly WireThresholdLevel[]): string[] {
  return levels.flatMap(({ notification_actions, sample_actions }) => [
    ...(notification_actions ?? []).flatMap(({ user_group_id: id }) => (id == null ? [] : [`users ${id}`])),
    ...(sample_actions ?? []).flatMap(({ sample_group_id: id }) => (id == null ? [] : [`streams ${id}`])),
  ]);
}

/** Whose a group is, nothing tells: those that the threshold names already may stay. */
function throwOnForeignGroups(groups: readonly string[], present: readonly ThresholdLevel[]): void {
  const known = new Set(
    present.flatMap(({ notificationActions, sampleActions }) => [
      ...notificationActions.map(({ userGroupPlatformId: id }) => `users ${id}`),
      ...sampleActions.map(({ sampleGroupPlatformId: id }) => `streams ${id}`),
    ]),
  );
  if (groups.every((group) => known.has(group))) return;
  throw new GatewayError(
    'FORBIDDEN',
    'Groups belong to the whole account: callers who are held to organizations name none but those of the present threshold.',
  );
}

/** One queue and one place in it for the whole account: a part of it would be a trap for whoever acknowledges. */
export async function rejectQueueAccess(): Promise<never> {
  throw new GatewayError(
    'FORBIDDEN',
    'The delivery queue holds the whole account: it is not for callers who are held to organizations.',
  );
}
