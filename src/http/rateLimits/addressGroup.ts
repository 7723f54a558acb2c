/** Names the network that an address belongs to, as far as one client can choose its addresses freely. */
import { isIPv6 } from 'node:net';

const MAPPED_IPV4 = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i;
/** Of 16 bits each; a client is given a whole /64. */
const GROUPS_OF_NETWORK = 4;
const GROUPS = 8;

/** IPv4 addresses as they are, also those written as IPv6; of IPv6 addresses the /64. */
export function toAddressGroup(address: string): string {
  const [, ipv4] = MAPPED_IPV4.exec(address) ?? [];
  if (ipv4 !== undefined) return ipv4;
  const [bare = ''] = address.split('%');
  if (!isIPv6(bare)) return address;
  return `${expand(bare).slice(0, GROUPS_OF_NETWORK).join(':')}::/64`;
}

function expand(address: string): string[] {
  const [before = '', after] = address.split('::');
  const head = toGroups(before);
  const tail = toGroups(after ?? '');
  return [...head, ...Array<string>(Math.max(0, GROUPS - head.length - tail.length)).fill('0'), ...tail];
}

/** Without leading zeros, so that one address is written in one way. */
function toGroups(part: string): string[] {
  if (part === '') return [];
  return part.split(':').map((group) => Number.parseInt(group, 16).toString(16));
}
