/** Tells, in the primary, each worker how many operations of which callers the others have counted. */
import type { Board, Member } from './protocol.js';

export function createRateRelay(): Board {
  const members = new Set<Member>();
  return {
    join(member) {
      members.add(member);
      member.channel.answer('counted', (counts) => {
        for (const other of members) if (other !== member) other.channel.tell('countedElsewhere', counts);
      });
    },
    leave: (member) => void members.delete(member),
  };
}
