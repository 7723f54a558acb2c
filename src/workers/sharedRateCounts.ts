/** A worker's part in the rate of each caller: it tells the others what it has counted, a few times a second. */
import type { SharedRateCounts } from '../http/rateLimits/callerRateLimiter.js';
import type { ChannelToPrimary } from './protocol.js';

/** A caller on many connections gains no more than what it asks in so many milliseconds, once for each worker. */
const REPORT_INTERVAL_MS = 100;

export function createSharedRateCounts(channel: ChannelToPrimary): SharedRateCounts {
  const counts = new Map<string, number>();
  const tell = () => {
    if (counts.size > 0) channel.notify('reportCounts', [...counts]);
    counts.clear();
  };
  setInterval(tell, REPORT_INTERVAL_MS).unref();
  return {
    add: (caller) => void counts.set(caller, (counts.get(caller) ?? 0) + 1),
    onRemoteCount(listener) {
      channel.handle('remoteCounts', (counted) => {
        for (const [caller, operations] of counted) listener(caller, operations);
      });
    },
  };
}
