/** A collector of spans: a process that reads batches, counts them, and accepts each. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface CollectorReport {
  port: number;
  /** Bytes of all batches so far. */
  bytes: number;
}

let bytes = 0;

const server = createServer((request, response) => {
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
  });
  request.on('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'));
});

function report(): void {
  process.send?.({ port: (server.address() as AddressInfo).port, bytes } satisfies CollectorReport);
}

process.on('message', report);
server.listen(0, '127.0.0.1', report);
