/** A websocket client that breaks the protocol on purpose: it writes frames directly and reads only on request. */
import { connect, type Socket } from 'node:net';
import { PROTOCOL } from './socket.js';

/** Opcodes of RFC 6455, section 5.2. */
export const TEXT = 1;
export const PING = 9;

export interface HostileSocket {
  socket: Socket;
  /** The number of bytes read. */
  received(): string;
  /** Writes the data repeatedly until the gateway accepts no more. Returns the accepted bytes. */
  flood(data: Buffer, forMs: number): Promise<number>;
  /** Stops reading. */
  stopReading(): void;
  /** Resolves when the connection is closed. */
  closed: Promise<unknown>;
}

/** A masked frame; the mask is all zeros, so that the payload is unchanged. */
export function frame(opcode: number, payload: string | object): Buffer {
  const body = Buffer.from(typeof payload === 'string' ? payload : JSON.stringify(payload));
  const head =
    body.length < 126
      ? Buffer.from([0x80 | opcode, 0x80 | body.length])
      : Buffer.from([0x80 | opcode, 0x80 | 126, body.length >> 8, body.length & 255]);
  return Buffer.concat([head, Buffer.alloc(4), body]);
}

export const CONNECTION_INIT = frame(TEXT, { type: 'connection_init' });

/** This many frames in one buffer. */
export const many = (count: number, one: (index: number) => Buffer): Buffer =>
  Buffer.concat(Array.from({ length: count }, (_, index) => one(index)));

const open = new Set<Socket>();

/** Closes every socket that is still open. */
export function closeHostileSockets(): void {
  for (const socket of open) socket.destroy();
  open.clear();
}

/** The request that opens a websocket. */
export function toUpgrade(port: string): string {
  return [
    'GET /graphql HTTP/1.1',
    `Host: 127.0.0.1:${port}`,
    'Upgrade: websocket',
    'Connection: Upgrade',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    `Sec-WebSocket-Protocol: ${PROTOCOL}`,
    '\r\n',
  ].join('\r\n');
}

export async function openHostile(url: string, from = '127.0.0.66'): Promise<HostileSocket> {
  const { port } = new URL(url);
  const socket = connect({ port: Number(port), host: '127.0.0.1', localAddress: from });
  open.add(socket);
  let text = '';
  socket.on('data', (chunk: Buffer) => {
    text = (text + chunk.toString('latin1')).slice(-100_000);
  });
  socket.on('error', () => undefined);
  // Unlike the promises of `once` in node:events, these do not reject when the gateway cuts the connection.
  const next = (event: string) => new Promise((resolve) => socket.once(event, resolve));
  const closed = next('close');
  socket.write(toUpgrade(port));
  while (!text.includes('\r\n\r\n') && !socket.destroyed) await Promise.race([next('data'), closed]);
  return {
    socket,
    received: () => text,
    stopReading: () => void socket.pause(),
    closed,
    async flood(data, forMs) {
      const before = socket.bytesWritten - socket.writableLength;
      const endsAt = performance.now() + forMs;
      while (!socket.destroyed && performance.now() < endsAt) {
        if (socket.write(data)) await new Promise((resolve) => setImmediate(resolve));
        else await Promise.race([next('drain'), closed, sleep(endsAt - performance.now())]);
      }
      return socket.bytesWritten - socket.writableLength - before;
    },
  };
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.max(0, ms)));
}
