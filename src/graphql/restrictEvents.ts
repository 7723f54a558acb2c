/** Holds a subscription to what its caller sees: the feed is one for everybody. */
import { GatewayError } from '../errors.js';
import type { FeedEvent } from '../live/sampleFeed.js';
import type { Context } from './context.js';

/** As long may an answer to "whose is this stream" serve; shorter than the sources' own deadline. */
const VISIBILITY_TTL_MS = 10_000;

/**
 * The events whose streams the caller sees. Where that can't be told, the error is the last event: leaving a
 * sample out would be a silent loss. Written by hand, since an async generator that waits for the next event
 * can't be stopped until it comes.
 */
export function restrictEvents(
  events: AsyncIterableIterator<FeedEvent>,
  context: Context,
): AsyncIterableIterator<FeedEvent> {
  if (context.sources.accessScope.isWholeAccount) return events;
  const isVisible = createVisibilityCheck(context);
  const stop = async (): Promise<IteratorResult<FeedEvent>> => {
    await events.return?.();
    return { value: undefined, done: true };
  };

  async function next(): Promise<IteratorResult<FeedEvent>> {
    for (;;) {
      const taken = await events.next();
      if (taken.done || taken.value instanceof GatewayError) return taken;
      const verdict = await isVisible(taken.value.streamId).catch(toGatewayError);
      if (verdict === true) return taken;
      if (verdict === false) continue;
      await events.return?.();
      return { value: verdict, done: false };
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

function createVisibilityCheck(context: Context) {
  let reach = context.sources.accessScope;
  let sinceMs = context.nowMs();
  return (streamId: number): Promise<boolean> => {
    const ageMs = context.nowMs() - sinceMs;
    if (ageMs < 0 || ageMs >= VISIBILITY_TTL_MS) {
      context.resetSources();
      reach = context.sources.accessScope;
      sinceMs = context.nowMs();
    }
    return reach.canSeeStream(streamId);
  };
}

function toGatewayError(cause: unknown): GatewayError {
  if (cause instanceof GatewayError) return cause;
  return new GatewayError('INTERNAL_SERVER_ERROR', 'The gateway failed. Its log says why.', { cause });
}
