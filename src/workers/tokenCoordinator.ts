/** Holds, in the primary, the text through which workers share a credential's token, token budget and renewal lease. */
import { LRUCache } from 'lru-cache';
import type { Clock } from '../lib/clock.js';
import type { PrimaryService } from './protocol.js';

interface SharedText {
  text: string;
  version: string;
}

/** Far more credentials than are used at once. Bounds the memory under a flood of wrong credentials. */
const MAX_TEXTS = 10_000;
/** The version of a missing text. */
const ABSENT = '';

export function createTokenCoordinator(clock: Clock): PrimaryService {
  const texts = new LRUCache<string, SharedText>({ max: MAX_TEXTS });
  let versions = 0;

  function read(name: string) {
    const entry = texts.get(name);
    return { text: entry?.text, version: entry?.version ?? ABSENT, nowMs: clock.now() };
  }

  function replace(name: string, version: string, text: string, lifeMs: number): boolean {
    if (read(name).version !== version) return false;
    texts.set(name, { text, version: String(++versions) }, { ttl: Math.ceil(lifeMs) });
    return true;
  }

  return {
    addWorker({ channel }) {
      channel.handle('readToken', ({ name }) => read(name));
      channel.handle('replaceToken', ({ name, version, text, lifeMs }) => {
        const isReplaced = replace(name, version, text, lifeMs);
        return { ...read(name), isReplaced };
      });
    },
  };
}
