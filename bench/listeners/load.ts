/** The load generator's process: opens listeners on plain sockets, and counts what each of them receives. */
import { randomUUID } from 'node:crypto';
import { connect, type Socket } from 'node:net';

export type Transport = 'websocket' | 'sse' | 'multipart';

interface OpenOrder {
  kind: 'open';
  port: number;
  transport: Transport;
  count: number;
  /** These clients subscribe to large results, and read none of them. */
  isUnread?: boolean;
}

export type LoadOrder =
  | OpenOrder
  | { kind: 'report'; newestId: number }
  | { kind: 'begin' }
  /** The clients that read nothing now start to read. */
  | { kind: 'readUnread' };

export interface LoadReport {
  listeners: number;
  /** Samples that listeners have received since `begin`. */
  deliveries: number;
  lost: number;
  doubled: number;
  /** The number of deliveries by their delay, in whole milliseconds, from the platform's response to the listener. */
  delays: [delayMs: number, count: number][];
  /** Clients that read nothing at first, whose connection has ended. */
  unreadEnded: number;
}

const QUERY =
  'subscription { sampleReceived(kinds: [SCALAR]) { id sampledAt ... on ScalarSample { value rawValue } } }';
/** Results of 20 KB: long aliases cost the server little, and fill the buffers of the kernel soon. */
const LARGE_QUERY = `subscription { sampleReceived(kinds: [SCALAR]) { ${Array.from(
  { length: 15 },
  (_, index) => `${'a'.repeat(1300)}${index}: id`,
).join(' ')} } }`;
/** A frame without a payload. The samples are ASCII, so that they do not contain these bytes. */
const PING = Buffer.from([0x89, 0]);
const PONG = Buffer.from([0x8a, 0x80, 0, 0, 0, 0]);
/** Listeners that are opened at a time. */
const OPENING = 100;
/** Each of these addresses of the load generator opens its share of the connections. */
const ADDRESSES = 8;
const SAMPLE = /"id":"ScalarSample:\d+:(\d+)","sampledAt":"[^"]*","value":(\d+)/g;
/** Longer than the part of a message that precedes the value. */
const MAX_REST = 400;

interface Listener {
  socket: Socket;
  lastId: number;
  rest: string;
}

class Load {
  readonly #listeners: Listener[] = [];
  readonly #unread: Socket[] = [];
  #unreadEnded = 0;
  #deliveries = 0;
  #lost = 0;
  #doubled = 0;
  #delays = new Map<number, number>();

  async open({ port, transport, count, isUnread = false }: OpenOrder): Promise<void> {
    for (let opened = 0; opened < count; opened += OPENING) {
      const batch = Array.from({ length: Math.min(OPENING, count - opened) }, (_, index) => opened + index);
      const openOne = (index: number) =>
        isUnread ? this.#openUnread(port, transport, index) : this.#openOne(port, transport, index);
      await Promise.all(batch.map(openOne));
    }
  }

  begin(): void {
    this.#deliveries = 0;
    this.#lost = 0;
    this.#doubled = 0;
    this.#delays = new Map();
  }

  readUnread(): void {
    for (const socket of this.#unread) socket.resume();
  }

  report(newestId: number): LoadReport {
    const missing = this.#listeners.map(({ lastId }) => (lastId === 0 ? 0 : Math.max(0, newestId - lastId)));
    return {
      listeners: this.#listeners.length,
      deliveries: this.#deliveries,
      lost: this.#lost + missing.reduce((sum, count) => sum + count, 0),
      doubled: this.#doubled,
      delays: [...this.#delays],
      unreadEnded: this.#unreadEnded,
    };
  }

  async #openOne(port: number, transport: Transport, index: number): Promise<void> {
    const socket = connectFrom(port, 2 + (index % ADDRESSES));
    const listener: Listener = { socket, lastId: 0, rest: '' };
    this.#listeners.push(listener);
    if (transport === 'websocket') await openWebsocket(socket, QUERY);
    else socket.write(toStreamRequest(transport, QUERY));
    socket.on('data', (data) => this.#receive(listener, data));
  }

  async #openUnread(port: number, transport: Transport, index: number): Promise<void> {
    const socket = connectFrom(port, 2 + ADDRESSES + (index % ADDRESSES));
    this.#unread.push(socket);
    socket.once('close', () => {
      this.#unreadEnded += 1;
    });
    if (transport === 'websocket') await openWebsocket(socket, LARGE_QUERY);
    else socket.write(toStreamRequest(transport, LARGE_QUERY));
    socket.pause();
  }

  #receive(listener: Listener, data: Buffer): void {
    if (data.includes(PING)) listener.socket.write(PONG);
    const text = listener.rest + data.toString('latin1');
    const now = Date.now();
    let end = 0;
    for (const match of text.matchAll(SAMPLE)) {
      end = match.index + match[0].length;
      this.#count(listener, Number(match[1]), now - Number(match[2]));
    }
    listener.rest = text.slice(Math.max(end, text.length - MAX_REST));
  }

  #count(listener: Listener, id: number, delayMs: number): void {
    this.#deliveries += 1;
    this.#delays.set(delayMs, (this.#delays.get(delayMs) ?? 0) + 1);
    if (listener.lastId > 0 && id <= listener.lastId) this.#doubled += 1;
    else if (listener.lastId > 0) this.#lost += id - listener.lastId - 1;
    listener.lastId = Math.max(listener.lastId, id);
  }
}

function connectFrom(port: number, address: number): Socket {
  const socket = connect({ port, host: '127.0.0.1', localAddress: `127.0.0.${address}` });
  socket.setNoDelay(true);
  socket.on('error', () => {});
  return socket;
}

/** Resolves when the subscription is sent. */
async function openWebsocket(socket: Socket, query: string): Promise<void> {
  const received = readUntil(socket);
  socket.write(
    'GET /graphql HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n' +
      'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n' +
      'Sec-WebSocket-Protocol: graphql-transport-ws\r\n\r\n',
  );
  await received('\r\n\r\n');
  socket.write(toFrame({ type: 'connection_init' }));
  await received('connection_ack');
  socket.write(toFrame({ type: 'subscribe', id: randomUUID(), payload: { query } }));
}

/** Also resolves at the end of the connection. */
function readUntil(socket: Socket): (text: string) => Promise<void> {
  let received = '';
  return (text) =>
    new Promise((resolve) => {
      socket.once('close', resolve);
      const read = (data: Buffer) => {
        received += data.toString('latin1');
        if (!received.includes(text)) return;
        socket.off('data', read);
        resolve();
      };
      socket.on('data', read);
    });
}

/** A masked text frame with a mask of zeros. */
function toFrame(message: object): Buffer {
  const text = Buffer.from(JSON.stringify(message));
  const head = Buffer.alloc(14);
  head[0] = 0x81;
  head[1] = 0x80 | 127;
  head.writeUInt32BE(text.length, 6);
  return Buffer.concat([head, text]);
}

function toStreamRequest(transport: 'sse' | 'multipart', query: string): string {
  const body = JSON.stringify({ query });
  const accept = transport === 'sse' ? 'text/event-stream' : 'multipart/mixed;subscriptionSpec=1.0';
  return (
    `POST /graphql HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: ${accept}\r\nContent-Type: application/json\r\n` +
    `Content-Length: ${body.length}\r\n\r\n${body}`
  );
}

const load = new Load();

async function handle(order: LoadOrder): Promise<LoadReport | object> {
  if (order.kind === 'report') return load.report(order.newestId);
  if (order.kind === 'open') await load.open(order);
  else if (order.kind === 'readUnread') load.readUnread();
  else load.begin();
  return {};
}

process.on('message', (order: LoadOrder) => void handle(order).then((reply) => process.send?.(reply)));
process.send?.({});
