/** Groups addresses that one client can use: a client with IPv6 usually owns a whole /64. */
import { isIPv6 } from 'node:net';

const MAPPED_IPV4 = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i;
/** An IPv6 address has 8 groups of 16 bits; the first 4 are the /64. */
const GROUPS_OF_NETWORK = 4;
const GROUPS = 8;

/** Returns the address itself for IPv4, also if it is mapped to IPv6, and the /64 for IPv6. */
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

/** Removes leading zeros, so that each address has one spelling. */
function toGroups(part: string): string[] {
  if (part === '') return [];
  return part.split(':').map((group) => Number.parseInt(group, 16).toString(16));
}
