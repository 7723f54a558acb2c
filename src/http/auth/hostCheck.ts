/**
 * Refuses requests to a loopback address under a foreign host name. Otherwise a page could resolve its own name to
 * loopback, and the browser would let it read all data as if it were the gateway's page (DNS rebinding).
 */
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { GatewayError } from '../../errors.js';

export type HostCheck = (request: IncomingMessage) => boolean;

const loopbackNames: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/** A name or an address, with or without a port. IPv6 addresses are in brackets. */
const HOST_PATTERN = /^([a-z0-9_]([a-z0-9._-]{0,252})|\[[0-9a-f:.]{2,45}\])(?::(\d{1,5}))?$/i;

/** Clients omit these ports from the header `Host`. */
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
  return ({ headers }) => {
    if (headers.host === undefined) return true;
    const requested = parseHost(headers.host);
    if (requested === undefined) return false;
    const { name } = requested;
    return loopbackNames.has(name) || name === host || allowed.some((one) => matches(one, requested));
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

/** For gateways that authenticate callers, where a foreign host name does not give a page access. */
export const allowAnyHost: HostCheck = () => true;

/** Misdirected Request (RFC 9110, 15.5.20). */
export const MISDIRECTED = 421;

export function createHostError(): GatewayError {
  const message =
    'The gateway does not accept this host name. Add the name to PUBLIC_HOSTS, or configure the proxy to send the ' +
    'address that the gateway listens on as Host.';
  return new GatewayError('BAD_REQUEST', message);
}

export function isLoopback(host: string): boolean {
  const isName = host === 'localhost' || host === '::1' || host === '[::1]';
  return isName || (isIP(host) === 4 && host.startsWith('127.'));
}

/**
 * Only an open gateway on loopback needs the check. Other gateways authenticate their callers, or are meant to serve other
 * machines.
 */
export function chooseHostCheck(
  callerAuth: string,
  { host, publicHosts }: { host: string; publicHosts?: readonly string[] | undefined },
): HostCheck {
  return callerAuth === 'open' && isLoopback(host) ? createHostCheck(host, publicHosts) : allowAnyHost;
}

const ABSOLUTE_FORM = /^https?:\/\/([^/?#]+)(.*)$/i;

/**
 * Some proxies send absolute targets (RFC 9112, 3.2.2). A target whose host differs from the header `Host` is not served,
 * because only the header is checked.
 */
export function toOriginForm(request: IncomingMessage): void {
  if (request.url?.startsWith('/')) return;
  const [, host, rest = ''] = ABSOLUTE_FORM.exec(request.url ?? '') ?? [];
  if (host === undefined || host.toLowerCase() !== request.headers.host?.toLowerCase()) return;
  request.url = rest.startsWith('/') ? rest : `/${rest}`;
}
