/** A subscription to all numbers over a websocket, which resumes after its last sample after each reconnect. */
import { WebSocket } from 'ws';

interface Message {
  type: string;
  payload?: { data?: { sampleReceived?: { id: string } | null } | null };
}

const QUERY = 'subscription ($after: ID) { sampleReceived(kinds: [SCALAR], after: $after) { id } }';
const RECONNECT_MS = 500;

export class SoakListener {
  /** Samples by id, in the order of arrival. */
  readonly received = new Set<string>();
  doubled = 0;
  connections = 0;
  readonly #url: string;
  readonly #headers: Readonly<Record<string, string>>;
  #cursor: string | undefined;
  #socket: WebSocket | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  /** Begins after the sample `cursor`, otherwise with the next sample that arrives. */
  constructor(url: string, headers: Readonly<Record<string, string>>, cursor?: string) {
    this.#url = `${url.replace(/^http/, 'ws')}/graphql`;
    this.#headers = headers;
    this.#cursor = cursor;
    this.#connect();
  }

  /** Ends the connection without a closing handshake. */
  cut(): void {
    this.#socket?.terminate();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#socket?.close();
  }

  #connect(): void {
    const socket = new WebSocket(this.#url, 'graphql-transport-ws', { headers: this.#headers });
    this.#socket = socket;
    socket.on('open', () => socket.send('{"type":"connection_init"}'));
    socket.on('message', (data) => this.#receive(socket, JSON.parse(String(data)) as Message));
    socket.on('error', () => socket.terminate());
    socket.on('close', () => {
      if (!this.#isClosed) this.#timer = setTimeout(() => this.#connect(), RECONNECT_MS);
    });
  }

  #receive(socket: WebSocket, { type, payload }: Message): void {
    if (type === 'connection_ack') {
      this.connections += 1;
      const variables = { after: this.#cursor };
      socket.send(JSON.stringify({ id: '1', type: 'subscribe', payload: { query: QUERY, variables } }));
    } else if (type === 'ping') socket.send('{"type":"pong"}');
    else if (type === 'next') this.#note(payload?.data?.sampleReceived?.id, socket);
    else if (type === 'error' || type === 'complete') socket.terminate();
  }

  #note(id: string | undefined, socket: WebSocket): void {
    if (id === undefined) {
      socket.terminate();
      return;
    }
    if (this.received.has(id)) this.doubled += 1;
    this.received.add(id);
    this.#cursor = id;
  }
}
