/** Notices when a caller leaves an operation: the websocket protocol's server tells nobody, it only keeps the answer back. */
import type { SubscribePayload } from 'graphql-ws';
import type { WebSocket, WebSocketServer } from 'ws';

interface WatchedOperation {
  controller: AbortController;
  /** Tells it from another to which the caller has given the same id since. */
  payload: SubscribePayload;
}

export interface OperationCancellations {
  /** For an operation that begins: aborted when its caller says `complete` or is gone. */
  signalFor(socket: WebSocket, id: string, payload: SubscribePayload): AbortSignal;
  delete(socket: WebSocket, id: string, payload: SubscribePayload): void;
  /** Notes that the caller has said `complete`. */
  complete(socket: WebSocket, id: string): void;
}

export function watchCancellations(sockets: WebSocketServer): OperationCancellations {
  const bySocket = new WeakMap<WebSocket, Map<string, WatchedOperation>>();
  sockets.on('connection', (socket) => {
    const operations = new Map<string, WatchedOperation>();
    bySocket.set(socket, operations);
    socket.on('close', () => {
      for (const { controller } of operations.values()) controller.abort();
    });
  });
  return {
    signalFor(socket, id, payload) {
      const controller = new AbortController();
      bySocket.get(socket)?.set(id, { controller, payload });
      return controller.signal;
    },
    delete(socket, id, payload) {
      const operations = bySocket.get(socket);
      if (operations?.get(id)?.payload === payload) operations.delete(id);
    },
    complete: (socket, id) => bySocket.get(socket)?.get(id)?.controller.abort(),
  };
}
