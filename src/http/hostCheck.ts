/**
 * Turns away pages that reached a loopback address by a name of their own: a browser takes such a page for the
 * gateway's, and would let it read everything (DNS rebinding).
 */
import type { IncomingMessage } from 'node:http';

/** Tells whether a request may be served, by the name that its caller knows the gateway by. */
export type HostCheck = (request: IncomingMessage) => boolean;

const loopbackNames: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/** For a gateway that lets everybody in who reaches `host`; programs that name no host are no browsers. */
export function createHostCheck(host: string): HostCheck {
  return ({ headers }) => {
    if (headers.host === undefined) return true;
    const name = headers.host.toLowerCase().replace(/:\d+$/, '');
    return loopbackNames.has(name) || name === host.toLowerCase();
  };
}

/** Where callers have to say who they are, a page has nothing to gain by a name. */
export const anyHost: HostCheck = () => true;
