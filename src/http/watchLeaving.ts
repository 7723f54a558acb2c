/** Notices when a caller leaves an operation: the websocket protocol's server tells nobody, it only keeps the answer back. */
import type { SubscribePayload } from 'graphql-ws';
import type { WebSocket, WebSocketServer } from 'ws';

interface Operation {
  controller: AbortController;
  /** Tells it from another to which the caller has given the same id since. */
  payload: SubscribePayload;
}

export interface Leaving {
  /** For an operation that begins: aborted when its caller says `complete` or is gone. */
  watch(socket: WebSocket, id: string, payload: SubscribePayload): AbortSignal;
  forget(socket: WebSocket, id: string, payload: SubscribePayload): void;
  /** Notes that the caller has said `complete`. */
  complete(socket: WebSocket, id: string): void;
}

export function watchLeaving(sockets: WebSocketServer): Leaving {
  const bySocket = new WeakMap<WebSocket, Map<string, Operation>>();
  sockets.on('connection', (socket) => {
    const operations = new Map<string, Operation>();
    bySocket.set(socket, operations);
    socket.on('close', () => {
      for (const { controller } of operations.values()) controller.abort();
    });
  });
  return {
    watch(socket, id, payload) {
      const controller = new AbortController();
      bySocket.get(socket)?.set(id, { controller, payload });
      return controller.signal;
    },
    forget(socket, id, payload) {
      const operations = bySocket.get(socket);
      if (operations?.get(id)?.payload === payload) operations.delete(id);
    },
    complete: (socket, id) => bySocket.get(socket)?.get(id)?.controller.abort(),
  };
}
