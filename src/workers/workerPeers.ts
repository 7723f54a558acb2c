/** What a worker shares with the others, each thing by asking the primary. */
import type { Peers } from '../gateway/peers.js';
import type { ChannelToPrimary } from './protocol.js';
import { createSharedPolls } from './sharedPolls.js';
import { createSharedRateCounts } from './sharedRateCounts.js';

/** The primary serves nobody and answers at once: whoever does without it after so long is not wrong to. */
const TOKEN_TIMEOUT_MS = 2000;
/** The primary waits for the other workers, and less long than this. */
const INVALIDATE_TIMEOUT_MS = 1000;

export function createPeers(channel: ChannelToPrimary, processCount: number): Peers {
  return {
    processCount,
    tokenStore: (name) => ({
      read: () => channel.request('readToken', { name }, TOKEN_TIMEOUT_MS).catch(() => undefined),
      replace: (version, text, lifeMs) =>
        channel
          .request('replaceToken', { name, version, text, lifeMs }, TOKEN_TIMEOUT_MS)
          .catch(() => undefined),
    }),
    caches: {
      invalidate: (tags) => channel.request('invalidate', tags, INVALIDATE_TIMEOUT_MS).catch(() => undefined),
      onInvalidated: (listener) => channel.handle('invalidated', listener),
    },
    polls: createSharedPolls(channel),
    rateCounts: createSharedRateCounts(channel),
    metrics: {
      onRead: (read) => channel.handle('readMetrics', read),
      collect: () => channel.request('collectMetrics', undefined),
    },
  };
}
