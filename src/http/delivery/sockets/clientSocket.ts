/**
 * A websocket that passes its events to one listener. All websockets share the same functions, because separate
 * closures would take a tenth of the memory of an idle subscriber.
 */
import type { Socket } from 'node:net';
import { type RawData, WebSocket } from 'ws';

interface SocketListener {
  /** A part of a message, or several messages, arrived. */
  receiveData(): void;
  receiveMessage(data: RawData): void;
  receivePing(data: Buffer): void;
  receivePong(): void;
  /** The client violated the protocol. The library closes the websocket itself. */
  receiveError(error: Error): void;
  stop(): void;
  /** Called once, after all other events. */
  closed(): void;
}

/** A close frame allows no longer reason (RFC 6455, 5.5). */
const MAX_REASON_BYTES = 123;

const LISTENER = Symbol('listener');
type ListenedSocket = Socket & { [LISTENER]?: SocketListener };

export class ClientSocket extends WebSocket {
  listener: SocketListener | undefined;
  /** Internal state of the library, which has no other way to measure an unfinished message. */
  declare readonly _receiver:
    | { _bufferedBytes: number; _totalPayloadLength: number; _maxPayload: number }
    | undefined;

  /** The length of the message that is arriving, as far as it is known. */
  arrivingBytes(): number {
    const { _bufferedBytes = 0, _totalPayloadLength = 0, _maxPayload = 0 } = this._receiver ?? {};
    // The library refuses longer messages, in a later turn.
    return Math.min(Math.max(_bufferedBytes, _totalPayloadLength), _maxPayload);
  }

  /** Passes events to the listener from now on. `tcp`: the connection below the websocket. Call this once. */
  listen(listener: SocketListener, tcp: ListenedSocket): void {
    this.listener = listener;
    tcp[LISTENER] = listener;
    // After the library's own listener.
    tcp.on('data', onData);
    this.on('message', onMessage);
    this.on('ping', onPing);
    this.on('pong', onPong);
    this.on('error', onError);
    this.on('close', onClose);
  }

  /** Closes with as many whole characters of the reason as a close frame holds. */
  closeWith(code: number, reason: string): void {
    const { read } = new TextEncoder().encodeInto(reason, new Uint8Array(MAX_REASON_BYTES));
    this.close(code, reason.slice(0, read));
  }
}

function onData(this: ListenedSocket): void {
  this[LISTENER]?.receiveData();
}

export function listenerOf(socket: WebSocket): SocketListener | undefined {
  return (socket as ClientSocket).listener;
}

function onMessage(this: WebSocket, data: RawData): void {
  listenerOf(this)?.receiveMessage(data);
}

function onPing(this: WebSocket, data: Buffer): void {
  listenerOf(this)?.receivePing(data);
}

function onPong(this: WebSocket): void {
  listenerOf(this)?.receivePong();
}

function onError(this: WebSocket, error: Error): void {
  listenerOf(this)?.receiveError(error);
}

function onClose(this: WebSocket): void {
  listenerOf(this)?.closed();
}
