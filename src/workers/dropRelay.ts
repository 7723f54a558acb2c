/** Carries, in the primary, what one worker's cache drops to the caches of the others. */
import type { Board, Member } from './protocol.js';

/** A worker that hangs must not hold up the others' writes: it forgets before it answers anybody again, or soon after. */
const ACKNOWLEDGE_MS = 250;

export function createDropRelay(): Board {
  const members = new Set<Member>();

  async function tellOthers(from: Member, tags: readonly string[]): Promise<void> {
    const others = [...members].filter((member) => member !== from);
    await Promise.allSettled(others.map(({ channel }) => channel.ask('dropped', tags, ACKNOWLEDGE_MS)));
  }

  return {
    join(member) {
      members.add(member);
      member.channel.answer('drop', (tags) => tellOthers(member, tags));
    },
    leave: (member) => void members.delete(member),
  };
}
