/** Stands between a gateway and the REST API and counts what passes: the benchmark's only look behind the scenes. */
import { createServer, request as forward, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface CountingProxy {
  url: string;
  /** Requests since the last call of `take`, as `GET /v2.0/site`. */
  take(): string[];
  close(): void;
}

export async function startCountingProxy(targetUrl: string): Promise<CountingProxy> {
  const { hostname, port } = new URL(targetUrl);
  let seen: string[] = [];
  const server = createServer((incoming, outgoing) => {
    seen.push(`${incoming.method} ${incoming.url}`);
    const { method, url: path, headers } = incoming;
    const onward = forward({ hostname, port, method, path, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    onward.on('error', () => outgoing.destroy());
    incoming.pipe(onward);
  });
  await listen(server);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    take() {
      const taken = seen;
      seen = [];
      return taken;
    },
    close: () => server.close().closeAllConnections(),
  };
}

function listen(server: Server): Promise<void> {
  return new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
}
