/** The websocket attacker's process: opens connections from a separate address and attacks on each. */
import { connect, type Socket } from 'node:net';
import { toFrame } from './socketForms.js';

export interface SocketAttackOrder {
  port: number;
  /** The attacker's address. Loopback accepts all addresses of 127.0.0.0/8. */
  from: string;
  connections: number;
  /** Whether the connection sends `connection_init` before it attacks. */
  initializes: boolean;
  /** Whether the attacker reads the gateway's messages. */
  reads: boolean;
  /** Frames in base64. Written repeatedly, or with `once` a single time per connection. */
  frames: string;
  once: boolean;
}

export interface SocketAttackReport {
  connections: number;
  /** Bytes that the gateway has received. */
  bytes: number;
}

const REOPEN_MS = 50;
const INIT = toFrame(1, JSON.stringify({ type: 'connection_init' }));

const upgradeOf = (port: number) =>
  [
    'GET /graphql HTTP/1.1',
    `Host: 127.0.0.1:${port}`,
    'Upgrade: websocket',
    'Connection: Upgrade',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    'Sec-WebSocket-Protocol: graphql-transport-ws',
    '\r\n',
  ].join('\r\n');

/** Attacks until the returned function is called. */
function attack({ port, from, ...order }: SocketAttackOrder): () => SocketAttackReport {
  const frames = Buffer.from(order.frames, 'base64');
  const report: SocketAttackReport = { connections: 0, bytes: 0 };
  const sockets = new Set<Socket>();
  let isOver = false;

  function flood(socket: Socket): void {
    while (!isOver && !socket.destroyed) {
      if (!socket.write(frames) || order.once) return;
    }
  }

  function open(): void {
    if (isOver) return;
    const socket = connect({ port, host: '127.0.0.1', localAddress: from });
    sockets.add(socket);
    report.connections += 1;
    socket.write(upgradeOf(port));
    if (order.initializes) socket.write(INIT);
    let head = '';
    const start = (chunk: Buffer) => {
      head += chunk.toString('latin1');
      if (!head.includes(order.initializes ? 'connection_ack' : '\r\n\r\n')) return;
      socket.off('data', start);
      if (order.reads) socket.on('data', () => undefined);
      else socket.pause();
      if (!order.once) socket.on('drain', () => flood(socket));
      flood(socket);
    };
    socket.on('data', start).on('error', () => undefined);
    socket.once('close', () => {
      report.bytes += socket.bytesWritten;
      sockets.delete(socket);
      setTimeout(open, REOPEN_MS);
    });
  }

  for (let count = 0; count < order.connections; count++) open();
  return () => {
    isOver = true;
    for (const socket of sockets) {
      report.bytes += socket.bytesWritten - socket.writableLength;
      socket.destroy();
    }
    return report;
  };
}

let end: (() => SocketAttackReport) | undefined;
process.on('message', (order: SocketAttackOrder | 'end') => {
  if (order !== 'end') end = attack(order);
  else process.send?.(end?.());
});
process.once('disconnect', () => process.exit());
