/** Keeps, in the primary, the text in which workers share the token of a credential, its budget and its lease. */
import { LRUCache } from 'lru-cache';
import type { Clock } from '../lib/clock.js';
import type { Coordinator } from './protocol.js';

interface SharedText {
  text: string;
  version: string;
}

/** Far more credentials than are in use at once: a flood of wrong ones must not fill the memory. */
const MAX_TEXTS = 10_000;
/** The version of a text that is not there. */
const ABSENT = '';

export function createTokenCoordinator(clock: Clock): Coordinator {
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
