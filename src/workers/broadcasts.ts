/** Forwards, in the primary, invalidations, operation counts and failed logins of one worker to the other workers. */
import type { ConnectedWorker, PrimaryService } from './protocol.js';

/**
 * A worker that hangs must not delay the writes of the others. It processes the invalidation before it serves another
 * request, or soon after.
 */
const ACKNOWLEDGE_TIMEOUT_MS = 250;

export function createBroadcasts(): PrimaryService {
  const workers = new Set<ConnectedWorker>();
  const othersThan = (sender: ConnectedWorker) =>
    [...workers].filter((worker) => worker !== sender).map(({ channel }) => channel);

  return {
    addWorker(worker) {
      workers.add(worker);
      const { channel } = worker;
      channel.handle('invalidate', async (tags) => {
        await Promise.allSettled(
          othersThan(worker).map((other) => other.request('invalidated', tags, ACKNOWLEDGE_TIMEOUT_MS)),
        );
      });
      channel.handle('reportCounts', (counts) => {
        for (const other of othersThan(worker)) other.notify('remoteCounts', counts);
      });
      channel.handle('reportFailedLogin', (login) => {
        for (const other of othersThan(worker)) other.notify('remoteFailedLogin', login);
      });
    },
    removeWorker: (worker) => void workers.delete(worker),
  };
}
