/** Cancels operations that a websocket client completes or abandons. graphql-ws only discards their results. */
import type { SubscribePayload } from 'graphql-ws';
import type { WebSocket, WebSocketServer } from 'ws';
import {
  type CancellationController,
  createCancellation,
  type LazyCancellation,
} from '../../lib/cancellation.js';

interface WatchedOperation {
  cancellation: CancellationController;
  /** Distinguishes the operation from a later one with the same id. */
  payload: SubscribePayload;
}

export interface OperationCancellations {
  /** Adds an operation. It is cancelled when its client sends `complete` or disconnects. */
  add(socket: WebSocket, id: string, payload: SubscribePayload): LazyCancellation;
  delete(socket: WebSocket, id: string, payload: SubscribePayload): void;
  /** Cancels the operation because its client sent `complete`. */
  cancel(socket: WebSocket, id: string): void;
}

export function watchCancellations(sockets: WebSocketServer): OperationCancellations {
  const bySocket = new WeakMap<WebSocket, Map<string, WatchedOperation>>();
  sockets.on('connection', (socket) => {
    const operations = new Map<string, WatchedOperation>();
    bySocket.set(socket, operations);
    socket.on('close', () => {
      for (const { cancellation } of operations.values()) cancellation.abort();
    });
  });
  return {
    add(socket, id, payload) {
      const cancellation = createCancellation();
      bySocket.get(socket)?.set(id, { cancellation, payload });
      return cancellation;
    },
    delete(socket, id, payload) {
      const operations = bySocket.get(socket);
      if (operations?.get(id)?.payload === payload) operations.delete(id);
    },
    cancel: (socket, id) => bySocket.get(socket)?.get(id)?.cancellation.abort(),
  };
}
