/** A subscription to all changes of threshold levels, which resumes with its cursor whenever its websocket ends. */
import { WebSocket } from 'ws';

interface Message {
  type: string;
  payload?: {
    data?: { thresholdStatusChanged?: { cursor: string } | null } | null;
    errors?: readonly unknown[];
    cursors?: Readonly<Record<string, string>>;
  };
}

const QUERY = 'subscription ($after: String) { thresholdStatusChanged(after: $after) { cursor value } }';
const RECONNECT_MS = 50;

export class CrossingListener {
  /** Unix milliseconds of the first receipt, by the id of the sample. */
  readonly receivedAtMs = new Map<number, number>();
  doubled = 0;
  readonly #pickUrl: () => string | undefined;
  readonly #onSubscribed: () => void;
  #cursor: string;
  #socket: WebSocket | undefined;
  #isClosed = false;

  constructor(pickUrl: () => string | undefined, startId: number, onSubscribed: () => void) {
    this.#pickUrl = pickUrl;
    this.#cursor = `ScalarSample:${startId}`;
    this.#onSubscribed = onSubscribed;
    this.#connect();
  }

  close(): void {
    this.#isClosed = true;
    this.#socket?.terminate();
  }

  #connect(): void {
    const url = this.#pickUrl();
    if (this.#isClosed) return;
    if (url === undefined) {
      setTimeout(() => this.#connect(), RECONNECT_MS);
      return;
    }
    const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/graphql`, 'graphql-transport-ws');
    this.#socket = socket;
    socket.on('open', () => socket.send('{"type":"connection_init"}'));
    socket.on('message', (data) => this.#receive(socket, JSON.parse(String(data)) as Message));
    socket.on('error', () => socket.terminate());
    socket.on('close', () => setTimeout(() => this.#connect(), RECONNECT_MS));
  }

  #receive(socket: WebSocket, { type, payload }: Message): void {
    if (type === 'connection_ack') {
      const variables = { after: this.#cursor };
      socket.send(JSON.stringify({ id: '1', type: 'subscribe', payload: { query: QUERY, variables } }));
      this.#onSubscribed();
    } else if (type === 'ping') {
      this.#cursor = payload?.cursors?.['1'] ?? this.#cursor;
      socket.send('{"type":"pong"}');
    } else if (type === 'next' && payload?.data?.thresholdStatusChanged) {
      this.#cursor = payload.data.thresholdStatusChanged.cursor;
      const id = Number(this.#cursor.split(':').at(-1));
      if (this.receivedAtMs.has(id)) this.doubled += 1;
      else this.receivedAtMs.set(id, Date.now());
    } else if (type === 'error' || type === 'complete' || payload?.errors) {
      socket.terminate();
    }
  }
}
