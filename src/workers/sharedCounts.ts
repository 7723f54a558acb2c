/** A worker's part in the rate of each caller: it tells the others what it has counted, a few times a second. */
import type { SharedCounts } from '../http/callerRate.js';
import type { ChannelToPrimary } from './protocol.js';

/** A caller on many connections gains no more than what it asks in so many milliseconds, once for each worker. */
const TELL_MS = 100;

export function createSharedCounts(channel: ChannelToPrimary): SharedCounts {
  const counts = new Map<string, number>();
  const tell = () => {
    if (counts.size > 0) channel.tell('counted', [...counts]);
    counts.clear();
  };
  setInterval(tell, TELL_MS).unref();
  return {
    add: (caller) => void counts.set(caller, (counts.get(caller) ?? 0) + 1),
    onElsewhere(listener) {
      channel.answer('countedElsewhere', (counted) => {
        for (const [caller, operations] of counted) listener(caller, operations);
      });
    },
  };
}
