/** A process that is the most a `node:http` server can do: it reads a request and sends bytes that it was given. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What to send to whoever asks for the path. */
export interface CeilingOrder {
  path: string;
  body: string;
}

const answers = new Map<string, { bytes: Buffer; headers: Record<string, string | number> }>();

process.on('message', ({ path, body }: CeilingOrder) => {
  const bytes = Buffer.from(body);
  answers.set(path, {
    bytes,
    headers: { 'content-type': 'application/json; charset=utf-8', 'content-length': bytes.length },
  });
  process.send?.('kept');
});

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const answer = answers.get(request.url ?? '');
    if (!answer) return response.writeHead(404).end();
    return response.writeHead(200, answer.headers).end(answer.bytes);
  });
});

server.listen(0, '127.0.0.1', () => {
  process.send?.({ port: (server.address() as AddressInfo).port });
});
