/** Keeps, in the primary, the text in which workers share the token of a credential, its budget and its lease. */
import { LRUCache } from 'lru-cache';
import type { Clock } from '../lib/clock.js';
import type { Board } from './protocol.js';

interface Held {
  text: string;
  version: string;
}

/** Far more credentials than are in use at once: a flood of wrong ones must not fill the memory. */
const MOST_TEXTS = 10_000;
/** The version of a text that is not there. */
const ABSENT = '';

export function createTokenBoard(clock: Clock): Board {
  const texts = new LRUCache<string, Held>({ max: MOST_TEXTS });
  let versions = 0;

  function read(name: string) {
    const held = texts.get(name);
    return { text: held?.text, version: held?.version ?? ABSENT, nowMs: clock.now() };
  }

  function replace(name: string, version: string, text: string, lifeMs: number): boolean {
    if (read(name).version !== version) return false;
    texts.set(name, { text, version: String(++versions) }, { ttl: Math.ceil(lifeMs) });
    return true;
  }

  return {
    join({ channel }) {
      channel.answer('readToken', ({ name }) => read(name));
      channel.answer('replaceToken', ({ name, version, text, lifeMs }) => {
        const isReplaced = replace(name, version, text, lifeMs);
        return { ...read(name), isReplaced };
      });
    },
  };
}
