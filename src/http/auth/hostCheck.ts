/**
 * Refuses requests to a loopback address under a foreign host name. A browser would treat a page that resolves its
 * own name to loopback as the gateway's own page, and let it read everything (DNS rebinding).
 */
import type { IncomingMessage } from 'node:http';

/** Whether a request may be answered, by the host name in it. */
export type HostCheck = (request: IncomingMessage) => boolean;

const loopbackNames: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/** A name or an address, with or without a port. IPv6 addresses are in brackets. */
const HOST_PATTERN = /^([a-z0-9_]([a-z0-9._-]{0,252})|\[[0-9a-f:.]{2,45}\])(?::(\d{1,5}))?$/i;

/** The ports that clients leave out of the header `Host`. */
const defaultPorts = [80, 443];

interface HostName {
  name: string;
  port: number | undefined;
}

/** Whether the text can be an entry of PUBLIC_HOSTS. */
export function isPublicHost(text: string): boolean {
  const host = parseHost(text);
  return host !== undefined && (host.port ?? 1) >= 1 && (host.port ?? 1) <= 65_535;
}

/**
 * For an open gateway that listens on the loopback address `host`. An entry of `publicHosts` without a port allows
 * every port. Requests without a host name do not come from browsers and are allowed.
 */
export function createHostCheck(host: string, publicHosts: readonly string[] = []): HostCheck {
  const allowed = publicHosts.flatMap((text) => parseHost(text) ?? []);
  const ownName = host.toLowerCase();
  return ({ headers }) => {
    if (headers.host === undefined) return true;
    const given = parseHost(headers.host);
    if (given === undefined) return false;
    const { name, port } = given;
    return loopbackNames.has(name) || name === ownName || allowed.some((one) => matches(one, { name, port }));
  };
}

function matches(allowed: HostName, { name, port }: HostName): boolean {
  if (allowed.name !== name) return false;
  if (allowed.port === undefined || allowed.port === port) return true;
  return port === undefined && defaultPorts.includes(allowed.port);
}

function parseHost(text: string): HostName | undefined {
  const match = HOST_PATTERN.exec(text);
  if (!match?.[1]) return undefined;
  return { name: match[1].toLowerCase(), port: match[3] === undefined ? undefined : Number(match[3]) };
}

/** For gateways that authenticate callers: a page gains nothing by a host name. */
export const allowAnyHost: HostCheck = () => true;
