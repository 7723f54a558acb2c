/** What a worker shares with the others, each thing by asking the primary. */
import type { Siblings } from '../siblings.js';
import type { ChannelToPrimary } from './protocol.js';

/** The primary serves nobody and answers at once: whoever does without it after so long is not wrong to. */
const TOKEN_DEADLINE_MS = 2000;

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
  };
}
