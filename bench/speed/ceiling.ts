/** The upper bound of a `node:http` server: a process that reads a request and sends predefined bytes. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The response body of a path. */
export interface CeilingOrder {
  path: string;
  body: string;
}

const responses = new Map<string, { bytes: Buffer; headers: Record<string, string | number> }>();

process.on('message', ({ path, body }: CeilingOrder) => {
  const bytes = Buffer.from(body);
  responses.set(path, {
    bytes,
    headers: { 'content-type': 'application/json; charset=utf-8', 'content-length': bytes.length },
  });
  process.send?.('stored');
});

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const stored = responses.get(request.url ?? '');
    if (!stored) return response.writeHead(404).end();
    return response.writeHead(200, stored.headers).end(stored.bytes);
  });
});

server.listen(0, '127.0.0.1', () => {
  process.send?.({ port: (server.address() as AddressInfo).port });
});
