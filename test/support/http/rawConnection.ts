/** A plain TCP connection to a server, for tests that depend on the exact bytes. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { cleanUpAfterFile } from '../cleanUp.js';

interface RawResponse {
  status: number;
  /** Names as they were written, in their order. */
  headers: [name: string, value: string][];
  body: string;
}

interface RawConnection {
  socket: Socket;
  /** Sends these pieces, each after the one before was sent, and reads this number of responses. */
  send(pieces: string | readonly string[], count?: number): Promise<RawResponse[]>;
}

const open = new Set<Socket>();

cleanUpAfterFile(() => {
  for (const socket of open) socket.destroy();
  open.clear();
});

export async function openConnection(url: string): Promise<RawConnection> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  open.add(socket);
  await once(socket, 'connect');
  let come = '';
  socket.on('data', (chunk: Buffer) => {
    come += chunk.toString('latin1');
  });

  async function take(): Promise<RawResponse> {
    for (;;) {
      const found = split(come);
      if (found) {
        come = found.rest;
        return found.response;
      }
      if (socket.readableEnded || socket.destroyed) throw new Error(`It ended after: ${come}`);
      await Promise.race([once(socket, 'data'), once(socket, 'close')]);
    }
  }

  return {
    socket,
    async send(pieces, count = 1) {
      for (const piece of [pieces].flat()) {
        socket.write(piece);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      const taken: RawResponse[] = [];
      while (taken.length < count) taken.push(await take());
      return taken;
    },
  };
}

/** The first response, if it is complete. */
function split(text: string): { response: RawResponse; rest: string } | undefined {
  const end = text.indexOf('\r\n\r\n');
  if (end === -1) return undefined;
  const [line = '', ...lines] = text.slice(0, end).split('\r\n');
  const headers = lines.map((header): [string, string] => {
    const colon = header.indexOf(': ');
    return [header.slice(0, colon), header.slice(colon + 2)];
  });
  const length = Number(headers.find(([name]) => /^content-length$/i.test(name))?.[1] ?? 0);
  if (text.length < end + 4 + length) return undefined;
  const response = {
    status: Number(line.split(' ')[1]),
    headers,
    body: text.slice(end + 4, end + 4 + length),
  };
  return { response, rest: text.slice(end + 4 + length) };
}

/** A POST as programs write it, with the length of the body. */
export function postText(body: string, headers: Readonly<Record<string, string>> = {}): string {
  const given = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `POST /graphql HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n${given.join('')}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}
