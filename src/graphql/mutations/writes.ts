/** Executes mutations: checks an input against existing entities, then sends the write once. */
import { GatewayError } from '../../errors.js';
import { filterAsync } from '../../lib/maybePromise.js';
import { MIN_DATE_MS } from '../../sources/core/wireValues.js';
import { type QueueKind, queuedTypes } from '../../sources/samples/sampleQueues.js';
import type { Sources } from '../../sources/sources.js';
import { type AttributeEntry, planAttributeWrite } from '../../sources/writes/attributeWrite.js';
import {
  checkThreshold,
  listActionStreams,
  type NewThresholdLevel,
  toWireLevel,
} from '../../sources/writes/thresholdWrite.js';
import {
  checkExists,
  checkLength,
  createUserError,
  type UserError,
} from '../../sources/writes/userErrors.js';
import { readIdOrNaN } from '../arguments/nodeId.js';
import type { Context } from '../context.js';

/**
 * Checks an input with cached data, and a second time without caches if something was not found: an entity that has just
 * been created elsewhere may be missing in the caches.
 */
async function checkWithRefresh<Checked extends { errors: readonly UserError[] }>(
  context: Context,
  check: (sources: Sources) => Promise<Checked>,
): Promise<Checked> {
  const checked = await check(context.sources);
  if (!checked.errors.some(({ code }) => code === 'NOT_FOUND')) return checked;
  context.bypassCaches();
  return check(context.sources);
}

/** Returns the ids that exist. Ignores NaN, which stands for an invalid id. */
async function findExistingIds(
  ids: readonly number[],
  byId: (id: number) => object | null | Promise<object | null>,
): Promise<ReadonlySet<number>> {
  const unique = [...new Set(ids)].filter((id) => !Number.isNaN(id));
  return new Set(await filterAsync(unique, async (id) => (await byId(id)) !== null));
}

/** Sends a write. The rest of the operation bypasses the caches, even after a failure: the write may have taken effect. */
async function writeOnce(context: Context, write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } finally {
    context.bypassCaches();
  }
}

export interface SetAttributesResult {
  /** The ids of the changed entities without duplicates, in the order of the input; null if nothing was written. */
  ids: readonly number[] | null;
  userErrors: UserError[];
}

const parents = {
  sites: { field: 'siteId', name: 'site', attributes: 'siteAttributes' },
  streams: { field: 'streamId', name: 'stream', attributes: 'streamAttributes' },
} as const;

export async function setAttributes(
  context: Context,
  kind: keyof typeof parents,
  entries: readonly AttributeEntry[],
): Promise<SetAttributesResult> {
  const parent = parents[kind];
  const { values, errors } = await checkWithRefresh(context, async (sources) => {
    const ids = entries.map(({ parentId }) => parentId);
    const [knownParents, knownAttributes] = await Promise.all([
      findExistingIds(ids, sources[kind].byId),
      sources[parent.attributes].names(),
    ]);
    return planAttributeWrite({ entries, parent, knownParents, knownAttributes });
  });
  if (errors.length > 0) return { ids: null, userErrors: errors };
  const { writes } = context.sources;
  await writeOnce(context, () => writes[parent.attributes](values));
  return { ids: [...new Set(values.map(({ parent_id }) => parent_id))], userErrors: [] };
}

export interface SetThresholdResult {
  /** Null if nothing was written. */
  streamId: number | null;
  userErrors: UserError[];
}

/** Sets the threshold of a stream. `streamId` is NaN if the input is not an id. */
export async function setThreshold(
  context: Context,
  streamId: number,
  levels: readonly NewThresholdLevel[],
): Promise<SetThresholdResult> {
  const { errors } = await checkWithRefresh(context, async ({ streams }) => {
    const existing = await findExistingIds([streamId, ...listActionStreams(levels)], streams.byId);
    const streamErrors = checkExists(['streamId'], 'stream', streamId, existing);
    return { errors: [...streamErrors, ...checkThreshold(levels, existing)] };
  });
  if (errors.length > 0) return { streamId: null, userErrors: errors };
  const { writes } = context.sources;
  await writeOnce(context, () => writes.threshold(streamId, levels.map(toWireLevel)));
  return { streamId, userErrors: [] };
}

export interface MoveQueueResult {
  kind: QueueKind;
  userErrors: UserError[];
}

interface QueueInput {
  kind: QueueKind;
  agent?: string | null | undefined;
}

/** Moves a delivery queue: forward with an acknowledgement, to any date with a backfill. */
export async function acknowledge(
  context: Context,
  { kind, sampleId, agent }: QueueInput & { sampleId: string },
): Promise<MoveQueueResult> {
  const type = queuedTypes[kind];
  const id = readIdOrNaN(type, sampleId);
  const userErrors = [...checkSampleId(id, type), ...checkAgent(agent ?? null)];
  if (userErrors.length > 0) return { kind, userErrors };
  const { writes } = context.sources;
  const exists = await writeOnce(context, () => writes.acknowledge(kind, id, agent ?? undefined)).then(
    () => true,
    toNotFound,
  );
  const unknown = 'The platform has no sample of this kind with this id.';
  return { kind, userErrors: exists ? [] : [createUserError(['sampleId'], 'NOT_FOUND', unknown)] };
}

/**
 * Returns false for the error of an unknown sample, and rethrows others. No endpoint can check the sample first: for an
 * unknown one, the platform returns 404 and does not move the queue.
 */
function toNotFound(error: unknown): false {
  if (error instanceof GatewayError && error.platform?.status === 404) return false;
  throw error;
}

export async function backfill(
  context: Context,
  { kind, since, agent }: QueueInput & { since: number },
): Promise<MoveQueueResult> {
  const userErrors = [...checkSince(since), ...checkAgent(agent ?? null)];
  const { writes } = context.sources;
  if (userErrors.length === 0) {
    await writeOnce(context, () => writes.backfill(kind, since, agent ?? undefined));
  }
  return { kind, userErrors };
}

const MAX_AGENT_LENGTH = 256;

function checkAgent(agent: string | null): UserError[] {
  return agent === null ? [] : checkLength(['agent'], agent, { min: 1, max: MAX_AGENT_LENGTH });
}

/** NaN stands for an invalid id. */
function checkSampleId(sampleId: number, type: string): UserError[] {
  if (!Number.isNaN(sampleId)) return [];
  const problem = `It is not a ${type} id such as "${type}:88001:90210" or "90210".`;
  return [createUserError(['sampleId'], 'INVALID_ID', problem)];
}

function checkSince(sinceMs: number): UserError[] {
  if (sinceMs >= MIN_DATE_MS) return [];
  const minDate = new Date(MIN_DATE_MS).toISOString();
  return [createUserError(['since'], 'OUT_OF_RANGE', `The platform accepts no date before ${minDate}.`)];
}
