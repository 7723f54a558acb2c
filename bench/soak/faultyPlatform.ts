/**
 * A proxy in front of the sandbox that fails calls at random while faults are on. Token requests never fail: they are
 * scarce.
 */
import { createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface FaultyPlatform {
  url: string;
  setFaults(isOn: boolean): void;
  /** Calls that failed since the start. */
  failed(): number;
  close(): void;
}

/** Part of the calls that fail while faults are on. */
const FAULT_RATE = 0.3;
const SLOW_MS = 500;

export async function startFaultyPlatform(targetUrl: string, random: () => number): Promise<FaultyPlatform> {
  const { hostname, port } = new URL(targetUrl);
  let isOn = false;
  let failed = 0;

  function pass(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const { method, url: path, headers } = incoming;
    const forwarded = forward({ hostname, port, method, path, headers }, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(outgoing);
    });
    forwarded.on('error', () => outgoing.destroy());
    incoming.pipe(forwarded);
  }

  const faults: ((incoming: IncomingMessage, outgoing: ServerResponse) => void)[] = [
    (_, outgoing) => outgoing.writeHead(503, { 'content-type': 'application/json' }).end('{"error":"soak"}'),
    (incoming, outgoing) => {
      // A write that did not happen must not be confirmed.
      if (incoming.method !== 'GET') return void incoming.socket.destroy();
      outgoing.writeHead(200, { 'content-type': 'application/json' }).end('{"cut');
    },
    (incoming) => incoming.socket.destroy(),
    (incoming, outgoing) => void setTimeout(() => pass(incoming, outgoing), SLOW_MS),
  ];

  const server = createServer((incoming, outgoing) => {
    const fault =
      isOn && incoming.url !== '/auth/token' && random() < FAULT_RATE
        ? faults[Math.floor(random() * faults.length)]
        : undefined;
    if (fault) failed += 1;
    (fault ?? pass)(incoming, outgoing);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    setFaults(next) {
      isOn = next;
    },
    failed: () => failed,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
