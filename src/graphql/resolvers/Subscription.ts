/** Resolves subscriptions. */
import { createBadInputError } from '../../errors.js';
import type { EventPosition } from '../../live/liveEvents.js';
import { type ResumePoint, SampleReplay } from '../../live/replay.js';
import { arrivedAtMs } from '../../live/sampleFeed.js';
import { type SampleKind, sampleKinds } from '../../live/sampleTail.js';
import { MAX_EVALUATED_SAMPLES, type ThresholdChange } from '../../live/thresholdChanges.js';
import { formatDateTime } from '../../sources/core/wireValues.js';
import { queuedTypes, queueKinds } from '../../sources/samples/sampleQueues.js';
import type { Sample } from '../../sources/samples/samples.js';
import { parseId, readId, readIds, toStreamSampleId } from '../arguments/nodeId.js';
import type { Context } from '../context.js';
import type {
  SubscriptionResolvers,
  SubscriptionSampleReceivedArgs,
  ThresholdStatusChangeResolvers,
} from '../generated/resolverTypes.js';
import { objectField } from './relation.js';
import { streamRelation } from './Sample.js';
import { createEvents, type EventParts, toThresholdChanges } from './subscriptionEvents.js';

export const Subscription: SubscriptionResolvers = {
  sampleReceived: {
    subscribe: async (_, args, context) => {
      const kinds = readKinds(args.kinds);
      const from = readAfter(context.after ?? args.after, context).filter(({ kind }) =>
        kinds.some((one) => one === kind),
      );
      const streamIds = await readStreamIds(args, context);
      const samples = toSampleEvents(context, { kinds, streamIds, from });
      return createEvents<Sample>({ ...samples, positionOf, arrivedAtMs }, context);
    },
    resolve: (sample: Sample) => sample,
  },
  thresholdStatusChanged: {
    subscribe: async (_, args, context) => {
      const from = readAfterChange(context.after ?? args.after, context);
      const streamIds = await readStreamIds(args, context);
      const maxBatch = MAX_EVALUATED_SAMPLES;
      const samples = toSampleEvents(context, { kinds: ['SCALAR'], streamIds, from, maxBatch });
      return createEvents<ThresholdChange>(
        {
          ...toThresholdChanges(samples, streamIds, context),
          positionOf: positionOfChange,
          arrivedAtMs: ({ sample }) => arrivedAtMs(sample),
        },
        context,
      );
    },
    resolve: (change: ThresholdChange) => change,
  },
};

/** Throws BAD_USER_INPUT for an empty list, because the subscription would wait forever. */
function readKinds(kinds: SubscriptionSampleReceivedArgs['kinds']): readonly SampleKind[] {
  if (kinds?.length === 0) throw createBadInputError('kinds', 'The list is empty; omit it for all kinds.');
  return kinds ?? sampleKinds;
}

interface SubscriptionArguments {
  kinds: readonly SampleKind[];
  /** Undefined for all streams. */
  streamIds: ReadonlySet<number> | undefined;
  /** Empty: only samples that arrive from now on. */
  from: readonly ResumePoint[];
  maxBatch?: number | undefined;
}

function toSampleEvents(
  { feed, budget }: Context,
  { kinds, streamIds, from, maxBatch }: SubscriptionArguments,
): EventParts<Sample> {
  const polledPositions = () => feed.positions(kinds);
  return {
    kinds,
    streamIds,
    start: (onRefusal) => feed.subscribe({ kinds, streamIds, budget, onRefusal, maxBatch }),
    replay:
      from.length === 0
        ? undefined
        : new SampleReplay({ from, streamIds, budget, maxBatch, pages: feed.pastPages, polledPositions }),
    progress: () => ({ asOfMs: feed.asOfMs(kinds), positions: polledPositions() }),
  };
}

/** Images have no delivery queue, so a subscription cannot resume after an image. */
function positionOf(sample: Sample): EventPosition | undefined {
  const kind = queueKinds.find((one) => queuedTypes[one] === sample.__typename);
  return kind && { kind, id: sample.id, cursor: toStreamSampleId({ ...sample, type: queuedTypes[kind] }) };
}

/** Each sample causes at most one change, so a change has the position of its sample. */
function positionOfChange({ streamId, sample: { id } }: ThresholdChange): EventPosition {
  return { kind: 'SCALAR', id, cursor: toChangeCursor(streamId, id) };
}

function toChangeCursor(streamId: number, sampleId: number): string {
  return `ThresholdStatusChange:${streamId}:${sampleId}`;
}

export const ThresholdStatusChange: ThresholdStatusChangeResolvers = {
  cursor: objectField(({ streamId, sample }) => toChangeCursor(streamId, sample.id)),
  stream: streamRelation,
  // A value that is not a number causes no change.
  value: objectField(({ sample }) => sample.value ?? Number.NaN),
  sampledAt: objectField(({ sample }) => sample.sampledAt),
  enteredAt: objectField(({ enteredAtMs }) => formatDateTime(enteredAtMs)),
};

/**
 * Reads the streams that the arguments name directly or by their site. Undefined for all streams, if they name none.
 */
async function readStreamIds(
  { streamIds, siteIds }: Pick<SubscriptionSampleReceivedArgs, 'streamIds' | 'siteIds'>,
  context: Context,
): Promise<ReadonlySet<number> | undefined> {
  if (!streamIds && !siteIds) return undefined;
  // The checks have a separate REST call limit, because a replay may need all calls of the operation.
  context.resetSources();
  const { sources } = context;
  const named = readIds('Stream', streamIds ?? [], 'streamIds', Number.POSITIVE_INFINITY);
  const sites = readIds('Site', siteIds ?? [], 'siteIds', Number.POSITIVE_INFINITY);
  await Promise.all([
    checkExist('Stream', 'streamIds', named, (id) => sources.streams.byId(id)),
    checkExist('Site', 'siteIds', sites, (id) => sources.sites.byId(id)),
  ]);
  const atSites = await Promise.all([...new Set(sites)].map((id) => sources.streams.ofSite(id)));
  context.resetSources();
  return new Set([...named, ...atSites.flat().map(({ id }) => id)]);
}

/**
 * Throws BAD_USER_INPUT for the first id of an object that does not exist or that the caller cannot see, because
 * the subscription would wait forever.
 */
async function checkExist(
  type: 'Stream' | 'Site',
  argument: string,
  ids: readonly number[],
  load: (id: number) => unknown,
): Promise<void> {
  const distinct = [...new Set(ids)];
  const loaded = await Promise.all(distinct.map(load));
  const missing = distinct.find((_, index) => loaded[index] == null);
  if (missing === undefined) return;
  throw createBadInputError(`${argument}[${ids.indexOf(missing)}]`, `There is no ${type}:${missing}.`);
}

/** A cursor is the id of a sample, or several ids with commas, one for each kind. */
function readAfter(after: string | null | undefined, context: Context): ResumePoint[] {
  if (after == null) return [];
  const points = after.split(',').map((text) => readPoint(text, after, context));
  if (new Set(points.map(({ kind }) => kind)).size < points.length) {
    throw createBadInputError('after', `${JSON.stringify(after)} names two samples of one kind.`);
  }
  return points;
}

function readPoint(text: string, after: string, context: Context): ResumePoint {
  const kind = queueKinds.find((one) => text.startsWith(`${queuedTypes[one]}:`));
  if (kind === undefined) {
    throw createBadInputError(
      'after',
      `${JSON.stringify(after)} does not name a sample to resume after; use an id such as "ScalarSample:90210".`,
    );
  }
  const type = queuedTypes[kind];
  const id = parseSampleId(type, text) ?? readId(type, text, 'after');
  return { kind, id, cursor: text, read: context.readQueue(kind) };
}

/** The cursor of a change ends with the id of its sample. The cursor of a heartbeat is the id of a sample. */
function readAfterChange(after: string | null | undefined, context: Context): ResumePoint[] {
  if (after == null) return [];
  const sample = after.replace(/^ThresholdStatusChange:/, 'ScalarSample:');
  const id = parseSampleId('ScalarSample', sample);
  if (id === undefined) {
    throw createBadInputError(
      'after',
      `${JSON.stringify(after)} is not a cursor of threshold changes; use the \`cursor\` of an event or of a heartbeat.`,
    );
  }
  return [{ kind: 'SCALAR', id, cursor: after, read: context.readQueue('SCALAR') }];
}

/** `ScalarSample:none` is the position before the first sample of an account. */
function parseSampleId(type: 'ScalarSample' | 'RfidSample', text: string): number | undefined {
  return text === `${type}:none` ? 0 : parseId(type, text);
}
