/** Restricts a subscription to the streams that its caller can see. All callers share one feed. */
import { GatewayError } from '../errors.js';
import type { FeedEvent } from '../live/sampleFeed.js';
import type { Context } from './context.js';

/** How long the caller's access to streams is reused. Shorter than the deadline of the sources. */
const ACCESS_TTL_MS = 10_000;

/**
 * Returns the events of streams that the caller can see. If the check fails, the error is the last event, because skipping
 * the sample would lose it silently. Not an async generator, because a generator that awaits the next event cannot be
 * stopped before the event arrives.
 */
export function restrictEvents(
  events: AsyncIterableIterator<FeedEvent>,
  context: Context,
): AsyncIterableIterator<FeedEvent> {
  if (context.sources.accessScope.isWholeAccount) return events;
  const canSee = createAccessCheck(context);
  const stop = async (): Promise<IteratorResult<FeedEvent>> => {
    await events.return?.();
    return { value: undefined, done: true };
  };

  async function next(): Promise<IteratorResult<FeedEvent>> {
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
