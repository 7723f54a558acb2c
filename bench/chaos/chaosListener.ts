/** One subscription that reconnects with its cursor whenever its websocket ends, and checks the order of the samples. */
import { WebSocket } from 'ws';

export interface ListenerCounts {
  lost: number;
  doubled: number;
  connections: number;
}

interface Message {
  type: string;
  payload?: { data?: { sampleReceived?: { id: string } | null } | null; errors?: readonly unknown[] };
}

const QUERY = 'subscription ($after: ID) { sampleReceived(kinds: [SCALAR], after: $after) { id } }';
const RECONNECT_MS = 300;
/** A stopped process accepts connections and does not respond. */
const CONNECT_TIMEOUT_MS = 5000;

export class ChaosListener {
  readonly counts: ListenerCounts = { lost: 0, doubled: 0, connections: 0 };
  readonly #pickUrl: () => string | undefined;
  #lastId: number;
  #cursor: string;
  #socket: WebSocket | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  /** Begins after a sample. */
  constructor(pickUrl: () => string | undefined, startId: number) {
    this.#pickUrl = pickUrl;
    this.#lastId = startId;
    this.#cursor = `ScalarSample:${startId}`;
    this.#reconnect();
  }

  get lastId(): number {
    return this.#lastId;
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#socket?.terminate();
  }

  #reconnect(): void {
    clearTimeout(this.#timer);
    if (!this.#isClosed) this.#timer = setTimeout(() => this.#connect(), Math.random() * RECONNECT_MS);
  }

  #connect(): void {
    const url = this.#pickUrl();
    if (url === undefined) {
      this.#reconnect();
      return;
    }
    const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/graphql`, 'graphql-transport-ws');
    this.#socket = socket;
    this.#timer = setTimeout(() => socket.terminate(), CONNECT_TIMEOUT_MS);
    socket.on('open', () => socket.send('{"type":"connection_init"}'));
    socket.on('message', (data) => this.#receive(socket, JSON.parse(String(data)) as Message));
    socket.on('error', () => socket.terminate());
    socket.on('close', () => this.#reconnect());
  }

  #receive(socket: WebSocket, { type, payload }: Message): void {
    if (type === 'connection_ack') {
      clearTimeout(this.#timer);
      this.counts.connections += 1;
      const variables = { after: this.#cursor };
      socket.send(JSON.stringify({ id: '1', type: 'subscribe', payload: { query: QUERY, variables } }));
    } else if (type === 'ping') socket.send('{"type":"pong"}');
    else if (type === 'next' && payload?.data?.sampleReceived) this.#check(payload.data.sampleReceived.id);
    else if (type === 'error' || type === 'complete' || payload?.errors) socket.terminate();
  }

  /** Ids rise by 1. */
  #check(cursor: string): void {
    const id = Number(cursor.split(':').at(-1));
    if (id <= this.#lastId) this.counts.doubled += 1;
    else this.counts.lost += id - this.#lastId - 1;
    this.#lastId = Math.max(id, this.#lastId);
    this.#cursor = cursor;
  }
}
