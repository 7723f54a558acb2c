/** Restricts writes to entities that the caller can see. A second line of defence: mutations look up their targets first. */
import { GatewayError } from '../../errors.js';
import type { WireThresholdLevel } from '../../rest/wire.js';
import type { ThresholdLevel } from '../entities/thresholds.js';
import type { Sources } from '../sources.js';
import type { OrganizationAccess } from './organizationAccess.js';

export function restrictWrites(
  { writes, thresholds }: Sources,
  { canSeeSite, canSeeStream }: OrganizationAccess,
): Sources['writes'] {
  return {
    async siteAttributes(values) {
      await requireAll(values, ({ parent_id }) => canSeeSite(parent_id));
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
  canSee: (item: Item) => Promise<boolean>,
): Promise<void> {
  const visible = await Promise.all(items.map(canSee));
  if (visible.includes(false)) throw new GatewayError('FORBIDDEN', 'The caller cannot see this entity.');
}

function listStreams(levels: readonly WireThresholdLevel[]): number[] {
  const actions = levels.flatMap(({ sample_actions = [] }) => sample_actions ?? []);
  return actions.map(({ stream_id }) => stream_id).filter((id) => typeof id === 'number');
}

/** The groups of users and of streams in the levels. */
function listGroups(levels: readonly WireThresholdLevel[]): string[] {
  return levels.flatMap(({ notification_actions, sample_actions }) => [
    ...(notification_actions ?? []).flatMap(({ user_group_id: id }) => (id == null ? [] : [`users ${id}`])),
    ...(sample_actions ?? []).flatMap(({ sample_group_id: id }) => (id == null ? [] : [`streams ${id}`])),
  ]);
}

/** The platform does not show the owner of a group, so only groups of the present threshold are allowed. */
function throwOnForeignGroups(groups: readonly string[], present: readonly ThresholdLevel[]): void {
  const presentGroups = new Set(
    present.flatMap(({ notificationActions, sampleActions }) => [
      ...notificationActions.map(({ userGroupPlatformId: id }) => `users ${id}`),
      ...sampleActions.map(({ sampleGroupPlatformId: id }) => `streams ${id}`),
    ]),
  );
  if (groups.every((group) => presentGroups.has(group))) return;
  throw new GatewayError(
    'FORBIDDEN',
    'Groups belong to the whole account: callers who are restricted to organizations can name only groups of the present threshold.',
  );
}

/** The account has one queue with one position. Acknowledging a filtered queue would lose samples of others. */
export async function rejectQueueAccess(): Promise<never> {
  throw new GatewayError(
    'FORBIDDEN',
    'The delivery queue has samples of the whole account: callers who are restricted to organizations cannot use it.',
  );
}
