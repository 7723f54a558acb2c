/**
 * The address that a request comes from: that of its connection or, if the connection comes from a trusted proxy, the
 * one that the proxy names in `X-Forwarded-For`. Also whether it came over TLS.
 */
import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';

/** Resolves the address of a request once, before anything reads it. */
export type AddressResolver = (request: IncomingMessage) => void;

/** Addresses that differ from that of the connection. */
const resolved = new WeakMap<IncomingMessage, string>();
/** Requests that another process of the gateway has received over TLS. */
const receivedOverTls = new WeakSet<IncomingMessage>();

/**
 * Whether the client reset the connection before its address was read. Such a request is not served: nobody receives the
 * response, and all of them would share the rate and the memory of one caller without an address.
 */
export function hasNoAddress({ socket }: IncomingMessage): boolean {
  return socket.remoteAddress === undefined;
}

export function remoteAddressOf(request: IncomingMessage): string {
  return resolved.get(request) ?? request.socket.remoteAddress ?? '';
}

/** Whether the request came over TLS to this process or to the one that forwarded it. */
export function isSecure(request: IncomingMessage): boolean {
  return 'encrypted' in request.socket || receivedOverTls.has(request);
}

/** Sets the results of `remoteAddressOf` and `isSecure` for a request that another process of the gateway has received. */
export function setOrigin(request: IncomingMessage, origin: { address: string; isSecure: boolean }): void {
  resolved.set(request, origin.address);
  if (origin.isSecure) receivedOverTls.add(request);
}

/** IPv4 addresses appear as `::ffff:…` on sockets that listen on IPv6. A `BlockList` treats them as IPv4. */
const MAPPED_IPV4 = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i;

/** An address, or a network in CIDR notation. */
const NETWORK = /^([0-9a-f.:]+)(?:\/(\d{1,3}))?$/i;

/** Whether the text can be an entry of TRUSTED_PROXIES. */
export function isNetwork(text: string): boolean {
  return parseNetwork(text) !== undefined;
}

function parseNetwork(text: string) {
  const [, address = '', prefixText] = NETWORK.exec(text) ?? [];
  const version = isIP(address);
  if (version === 0) return undefined;
  const [family, maxPrefix] = version === 4 ? (['ipv4', 32] as const) : (['ipv6', 128] as const);
  const prefix = prefixText === undefined ? maxPrefix : Number(prefixText);
  return prefix <= maxPrefix ? { address, prefix, family } : undefined;
}

/** `trustedProxies`: addresses and networks. Returns undefined if there are none, so that requests cost nothing. */
export function createAddressResolver(trustedProxies: readonly string[]): AddressResolver | undefined {
  if (trustedProxies.length === 0) return undefined;
  const networks = new BlockList();
  for (const text of trustedProxies) {
    const network = parseNetwork(text);
    if (network) networks.addSubnet(network.address, network.prefix, network.family);
  }
  const isTrusted = (address: string) => networks.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
  return (request) => {
    const { remoteAddress } = request.socket;
    const forwarded = request.headers['x-forwarded-for'];
    if (remoteAddress === undefined || forwarded === undefined) return;
    const address = readForwarded(remoteAddress, String(forwarded), isTrusted);
    if (address !== remoteAddress) resolved.set(request, address);
  };
}

/**
 * Each proxy appends the address of its client. From the end, the first address outside the trusted proxies is the
 * client. Everything before it was sent by the client and cannot be trusted.
 */
function readForwarded(connection: string, header: string, isTrusted: (address: string) => boolean): string {
  let client = connection;
  for (const part of header.split(',').reverse()) {
    if (!isTrusted(client)) return client;
    const address = toAddress(part.trim());
    if (address === undefined) return client;
    client = address;
  }
  return client;
}

/** Some proxies add a port, and brackets around IPv6. Undefined if the text is not an address. */
function toAddress(text: string): string | undefined {
  const bare = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
  return isIP(bare) === 0 ? undefined : bare;
}

/** An IPv6 address has 8 groups of 16 bits; the first 4 are the /64. */
const GROUPS_OF_NETWORK = 4;
const GROUPS = 8;

/** Returns the address itself for IPv4, including IPv4 addresses mapped to IPv6, and the /64 for IPv6. */
export function toAddressGroup(address: string): string {
  if (!address.includes(':')) return address;
  const [, ipv4] = MAPPED_IPV4.exec(address) ?? [];
  if (ipv4 !== undefined) return ipv4;
  return `${expand(address).slice(0, GROUPS_OF_NETWORK).join(':')}::/64`;
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
