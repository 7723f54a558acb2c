/** Resolves subscriptions. */
import { createBadInputError, GatewayError } from '../../errors.js';
import type { FeedEvent } from '../../live/sampleFeed.js';
import { type ThresholdChange, ThresholdEvaluator } from '../../live/thresholdChanges.js';
import { formatDateTime } from '../../sources/core/wireValues.js';
import { readId } from '../arguments/nodeId.js';
import type { Context } from '../context.js';
import type {
  SubscriptionResolvers,
  SubscriptionSampleReceivedArgs,
  ThresholdStatusChangeResolvers,
} from '../generated/resolverTypes.js';
import { objectField } from './relation.js';
import { streamRelation } from './Sample.js';

const allKinds = ['SCALAR', 'IMAGE', 'RFID'] as const;

export const Subscription: SubscriptionResolvers = {
  sampleReceived: {
    subscribe: async (_, args, context) => {
      const subscription = {
        kinds: args.kinds ?? allKinds,
        streamIds: await readStreamIds(args, context),
        after: readAfter(args.after, context),
        budget: context.budget,
      };
      return restrictEvents(await context.feed.subscribe(subscription), context);
    },
    resolve: (event: FeedEvent, _: unknown, context: Context) => {
      if (event instanceof GatewayError) throw event;
      context.resetSources();
      return event;
    },
  },
  thresholdStatusChanged: {
    subscribe: async (_, args, context) => {
      const after = readAfterChange(args.after, context);
      const streamIds = await readStreamIds(args, context);
      const samples = await context.feed.subscribe({
        kinds: ['SCALAR'],
        streamIds,
        after,
        budget: context.budget,
      });
      return restrictEvents(toThresholdChanges(samples, context), context);
    },
    resolve: (event: ThresholdChange | GatewayError, _: unknown, context: Context) => {
      if (event instanceof GatewayError) throw event;
      context.resetSources();
      return event;
    },
  },
};

export const ThresholdStatusChange: ThresholdStatusChangeResolvers = {
  id: objectField(({ streamId, sample }) => `ThresholdStatusChange:${streamId}:${sample.id}`),
  stream: streamRelation,
  // A value that is not a number causes no change.
  value: objectField(({ sample }) => sample.value ?? Number.NaN),
  sampledAt: objectField(({ sample }) => sample.sampledAt),
  enteredAt: objectField(({ enteredAtMs }) => formatDateTime(enteredAtMs)),
};

/** Undefined without streams and sites in the arguments: all streams. */
async function readStreamIds(
  { streamIds, siteIds }: Pick<SubscriptionSampleReceivedArgs, 'streamIds' | 'siteIds'>,
  context: Context,
): Promise<ReadonlySet<number> | undefined> {
  if (!streamIds && !siteIds) return undefined;
  // The checks count for a limit of REST calls of their own: a replay may need all calls of the operation.
  context.resetSources();
  const { sources } = context;
  const named = (streamIds ?? []).map((id, index) => readId('Stream', id, `streamIds[${index}]`));
  const sites = (siteIds ?? []).map((id, index) => readId('Site', id, `siteIds[${index}]`));
  await Promise.all([
    checkExist('streamIds', named, (id) => sources.streams.byId(id)),
    checkExist('siteIds', sites, (id) => sources.sites.byId(id)),
  ]);
  const atSites = await Promise.all(sites.map((id) => sources.streams.ofSite(id)));
  return new Set([...named, ...atSites.flat().map(({ id }) => id)]);
}

/** Throws BAD_USER_INPUT for the first id without an object that the caller can see: it would wait without an end. */
async function checkExist(
  argument: string,
  ids: readonly number[],
  load: (id: number) => unknown,
): Promise<void> {
  const loaded = await Promise.all(ids.map(load));
  const missing = loaded.findIndex((one) => one == null);
  if (missing === -1) return;
  throw createBadInputError(`${argument}[${missing}]`, 'There is no object with this id.');
}

function readAfter(after: string | null | undefined, { readQueue }: Context) {
  if (after == null) return undefined;
  const isRfid = after.startsWith('RfidSample:');
  if (!isRfid && !after.startsWith('ScalarSample:')) {
    throw createBadInputError(
      'after',
      `${JSON.stringify(after)} names no sample to go on from; write "ScalarSample:90210".`,
    );
  }
  const id = readId(isRfid ? 'RfidSample' : 'ScalarSample', after, 'after');
  const kind = isRfid ? 'RFID' : 'SCALAR';
  return { kind, id, read: readQueue(kind) } as const;
}

/** The id of a change ends with that of its sample. */
function readAfterChange(after: string | null | undefined, context: Context) {
  if (after == null) return undefined;
  const sampleId = after.replace(/^ThresholdStatusChange:/, 'ScalarSample:');
  return {
    kind: 'SCALAR',
    id: readId('ScalarSample', sampleId, 'after'),
    read: context.readQueue('SCALAR'),
  } as const;
}

/** Memory of a stream whose level is followed. */
const STREAM_BYTES = 256;

/** The changes that samples cause. An error is always the last event. */
function toThresholdChanges(
  samples: AsyncIterableIterator<FeedEvent>,
  context: Context,
): AsyncIterableIterator<ThresholdChange | GatewayError> {
  const { budget, nowMs } = context;
  const evaluator = new ThresholdEvaluator({
    nowMs,
    renewSources() {
      context.resetSources();
      return context.sources;
    },
  });
  const changes: ThresholdChange[] = [];
  let chargedStreams = 0;
  const charge = (streams: number) => {
    budget.add((streams - chargedStreams) * STREAM_BYTES);
    chargedStreams = streams;
  };
  const stop = async (): Promise<IteratorResult<never>> => {
    await samples.return?.();
    charge(0);
    return { value: undefined, done: true };
  };

  async function next(): Promise<IteratorResult<ThresholdChange | GatewayError>> {
    for (;;) {
      const change = changes.shift();
      if (change) return { value: change, done: false };
      const result = await samples.next();
      if (result.done) return stop();
      if (result.value instanceof GatewayError) return { value: result.value, done: false };
      try {
        changes.push(...(await evaluator.evaluate([result.value])));
        charge(evaluator.streamCount);
      } catch (error) {
        await stop();
        return { value: toGatewayError(error), done: false };
      }
    }
  }

  return {
    next,
    return: stop,
    throw: stop,
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

/** How long the caller's access to streams is reused. Shorter than the deadline of the sources. */
const ACCESS_TTL_MS = 10_000;

/**
 * Returns the events of streams that the caller can see; all callers share one feed. If the check fails, the error is the last event, because skipping
 * the sample would lose it silently. Not an async generator, because a generator that awaits the next event cannot be
 * stopped before the event arrives.
 */
function restrictEvents<Event extends { streamId: number }>(
  events: AsyncIterableIterator<Event | GatewayError>,
  context: Context,
): AsyncIterableIterator<Event | GatewayError> {
  if (context.sources.accessScope.isWholeAccount) return events;
  const canSee = createAccessCheck(context);
  const stop = async (): Promise<IteratorResult<never>> => {
    await events.return?.();
    return { value: undefined, done: true };
  };

  async function next(): Promise<IteratorResult<Event | GatewayError>> {
    for (;;) {
      const result = await events.next();
      if (result.done || result.value instanceof GatewayError) return result;
      const access = await canSee(result.value.streamId).catch(toGatewayError);
      if (access === true) return result;
      if (access === false) continue;
      await events.return?.();
      return { value: access, done: false };
    }
  }

  return {
    next,
    return: stop,
    throw: stop,
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

function createAccessCheck(context: Context) {
  let { accessScope } = context.sources;
  let checkedAtMs = context.nowMs();
  return (streamId: number): Promise<boolean> => {
    const ageMs = context.nowMs() - checkedAtMs;
    if (ageMs < 0 || ageMs >= ACCESS_TTL_MS) {
      context.resetSources();
      accessScope = context.sources.accessScope;
      checkedAtMs = context.nowMs();
    }
    return accessScope.canSeeStream(streamId);
  };
}

function toGatewayError(cause: unknown): GatewayError {
  if (cause instanceof GatewayError) return cause;
  return new GatewayError(
    'INTERNAL_SERVER_ERROR',
    'Internal error. The log of the gateway contains the cause.',
    { cause },
  );
}
