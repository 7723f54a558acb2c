/** What a worker shares with the others, each thing by asking the primary. */
import type { Siblings } from '../siblings.js';
import type { ChannelToPrimary } from './protocol.js';
import { createSharedCounts } from './sharedCounts.js';
import { createSharedPolls } from './sharedPolls.js';

/** The primary serves nobody and answers at once: whoever does without it after so long is not wrong to. */
const TOKEN_DEADLINE_MS = 2000;
/** The primary waits for the other workers, and less long than this. */
const DROP_DEADLINE_MS = 1000;

export function createSiblings(channel: ChannelToPrimary, count: number): Siblings {
  return {
    count,
    tokenStore: (name) => ({
      read: () => channel.ask('readToken', { name }, TOKEN_DEADLINE_MS).catch(() => undefined),
      replace: (version, text, lifeMs) =>
        channel
          .ask('replaceToken', { name, version, text, lifeMs }, TOKEN_DEADLINE_MS)
          .catch(() => undefined),
    }),
    caches: {
      drop: (tags) => channel.ask('drop', tags, DROP_DEADLINE_MS).catch(() => undefined),
      onDropped: (listener) => channel.answer('dropped', listener),
    },
    polls: createSharedPolls(channel),
    counts: createSharedCounts(channel),
    metrics: {
      onRead: (read) => channel.answer('readMetrics', read),
      collect: () => channel.ask('collectMetrics', undefined),
    },
  };
}
