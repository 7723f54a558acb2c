/** A proxy between a gateway and the REST API that counts the calls. */
import { createServer, request as forward, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface CountingProxy {
  url: string;
  /** Returns the calls since the last `drain`, for example `GET /v2.0/site`. */
  drain(): string[];
  close(): void;
}

export async function startCountingProxy(targetUrl: string): Promise<CountingProxy> {
  const { hostname, port } = new URL(targetUrl);
  const calls: string[] = [];
  const server = createServer((incoming, outgoing) => {
    const { method, url: path, headers } = incoming;
    calls.push(`${method} ${path}`);
    const forwarded = forward({ hostname, port, method, path, headers }, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(outgoing);
    });
    forwarded.on('error', () => outgoing.destroy());
    incoming.pipe(forwarded);
  });
  await listen(server);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    drain: () => calls.splice(0),
    close: () => server.close().closeAllConnections(),
  };
}

function listen(server: Server): Promise<void> {
  return new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
}
