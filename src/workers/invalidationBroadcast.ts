/** Carries, in the primary, what one worker's cache drops to the caches of the others. */
import type { ConnectedWorker, Coordinator } from './protocol.js';

/** A worker that hangs must not hold up the others' writes: it forgets before it answers anybody again, or soon after. */
const ACKNOWLEDGE_TIMEOUT_MS = 250;

export function createInvalidationBroadcast(): Coordinator {
  const members = new Set<ConnectedWorker>();

  async function tellOthers(from: ConnectedWorker, tags: readonly string[]): Promise<void> {
    const others = [...members].filter((member) => member !== from);
    await Promise.allSettled(
      others.map(({ channel }) => channel.request('invalidated', tags, ACKNOWLEDGE_TIMEOUT_MS)),
    );
  }

  return {
    addWorker(member) {
      members.add(member);
      member.channel.handle('invalidate', (tags) => tellOthers(member, tags));
    },
    removeWorker: (member) => void members.delete(member),
  };
}
