/** The websocket attacker, in a process of its own: opens connections from its own address and breaks the rules on them. */
import { connect, type Socket } from 'node:net';
import { toFrame } from './socketForms.js';

export interface SocketAttackOrder {
  port: number;
  /** On loopback every 127.x.y.z is an address: this one tells the attacker from others. */
  from: string;
  connections: number;
  /** Whether the connection greets before it attacks. */
  greets: boolean;
  /** Whether the attacker reads what it is sent. */
  reads: boolean;
  /** Frames, in base64, that are written again and again; where `once`, a single time on each connection. */
  frames: string;
  once: boolean;
}

export interface SocketAttackReport {
  connections: number;
  /** Bytes that the gateway's side has taken. */
  bytes: number;
}

const REOPEN_MS = 50;
const GREETING = toFrame(1, JSON.stringify({ type: 'connection_init' }));

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

/** Attacks until the function it answers is called. */
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
    if (order.greets) socket.write(GREETING);
    let head = '';
    const start = (chunk: Buffer) => {
      head += chunk.toString('latin1');
      if (!head.includes(order.greets ? 'connection_ack' : '\r\n\r\n')) return;
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
