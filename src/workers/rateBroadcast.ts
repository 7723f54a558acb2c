/** Tells, in the primary, each worker how many operations of which callers the others have counted. */
import type { ConnectedWorker, Coordinator } from './protocol.js';

export function createRateBroadcast(): Coordinator {
  const members = new Set<ConnectedWorker>();
  return {
    addWorker(member) {
      members.add(member);
      member.channel.handle('reportCounts', (counts) => {
        for (const other of members) if (other !== member) other.channel.notify('remoteCounts', counts);
      });
    },
    removeWorker: (member) => void members.delete(member),
  };
}
