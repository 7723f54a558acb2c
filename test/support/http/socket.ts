/** A raw websocket to the gateway, for misbehaving clients, and a client for single operations. */
import { once } from 'node:events';
import { createClient } from 'graphql-ws';
import { type ClientOptions, WebSocket } from 'ws';
import { cleanUpAfterFile } from '../cleanUp.js';
import type { GraphqlBody } from '../gateway.js';
import { socketUrl } from './live.js';

export const PROTOCOL = 'graphql-transport-ws';

export interface Message {
  type: string;
  id?: string;
  payload?: unknown;
}

export interface RawSocket {
  socket: WebSocket;
  /** All messages so far. */
  messages: Message[];
  send(message: Message | string | Buffer): void;
  /** Resolves with code and reason when the connection has ended. */
  closed: Promise<{ code: number; reason: string }>;
  /** Resolves with the first message of a type, past or future. */
  take(type: string): Promise<Message>;
}

const open = new Set<WebSocket>();

cleanUpAfterFile(() => {
  for (const socket of open) socket.terminate();
  open.clear();
});

/** Rejects if the gateway refuses the connection. */
export async function openSocket(
  url: string,
  protocols: string[] = [PROTOCOL],
  options: ClientOptions = {},
): Promise<RawSocket> {
  const socket = new WebSocket(socketUrl(url), protocols, options);
  open.add(socket);
  const messages: Message[] = [];
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.on('close', (code, reason) => {
      open.delete(socket);
      resolve({ code, reason: String(reason) });
    });
  });
  socket.on('message', (data) => messages.push(JSON.parse(String(data)) as Message));
  await once(socket, 'open');
  // Later errors end in `closed`.
  socket.on('error', () => {});
  return {
    socket,
    messages,
    closed,
    send: (message) =>
      socket.send(
        typeof message === 'string' || Buffer.isBuffer(message) ? message : JSON.stringify(message),
      ),
    async take(type) {
      for (;;) {
        const found = messages.find((message) => message.type === type);
        if (found) return found;
        if (socket.readyState !== WebSocket.OPEN) throw new Error(`Closed before a message "${type}".`);
        await Promise.race([once(socket, 'message'), closed]);
      }
    },
  };
}

/** Like `openSocket`, after connection_init: ready for operations. */
export async function openInitialized(url: string): Promise<RawSocket> {
  const raw = await openSocket(url);
  raw.send({ type: 'connection_init' });
  await raw.take('connection_ack');
  return raw;
}

/** Runs one operation over a separate websocket. Resolves with its last result, or with the errors that refuse it. */
export async function askSocket<Data = unknown>(
  url: string,
  operation: { query: string; variables?: Record<string, unknown>; operationName?: string },
): Promise<GraphqlBody<Data>> {
  const client = createClient({ url: socketUrl(url), webSocketImpl: WebSocket, retryAttempts: 0 });
  try {
    return await new Promise<GraphqlBody<Data>>((resolve, reject) => {
      let response: unknown;
      client.subscribe(operation, {
        next: (body) => {
          response = body;
        },
        error: (failure) => (Array.isArray(failure) ? resolve({ errors: failure }) : reject(failure)),
        complete: () => resolve(response as GraphqlBody<Data>),
      });
    });
  } finally {
    await client.dispose();
  }
}
