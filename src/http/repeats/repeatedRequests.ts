/**
 * Answers requests that come in the very bytes of one that was read before, without reading them again: a dashboard
 * that is open sends the same bytes every few seconds. To take a request apart and to put an answer's headers together
 * is most of what Node's HTTP server does for an answer that is at hand.
 *
 * It looks at what comes on a connection before the parser does, and only where it knows that a request begins there:
 * for as long as all that came before were whole requests, each read and answered before the next. Whatever else
 * comes goes to the parser, and it is the parser that says what bytes mean: here they are only recognised. The first
 * request of a connection is the parser's in any case: until it has read one, Node counts the time for its headers.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { LRUCache } from 'lru-cache';
import { KEEP_ALIVE_SECONDS } from './responseHead.js';
import { isWholeRequest } from './wholeRequest.js';

/** Answers with all that is to be sent, or undefined where the request has to be read again after all. */
export type Repeat = (socket: Socket) => RepeatedAnswer | undefined;

export interface RepeatedAnswer {
  /** Status line and headers with the empty line behind them; ASCII. */
  head: string;
  /** Empty where the status allows none. */
  body: Buffer;
}

export interface RepeatedRequests {
  /**
   * Has to be called when the connection is made, before anything is read from it. `idleMs`: how long its other end
   * may take nothing of an answer.
   */
  watch(socket: Socket, idleMs: number): void;
  /** Tells of each request that the parser has read the headers of. */
  note(request: IncomingMessage, response: ServerResponse): void;
  /** Has `repeat` asked first when the bytes of this request come again. To be called once it is read, before it is answered. */
  remember(request: IncomingMessage, repeat: Repeat): void;
  /** Lets go of a connection that begins to speak another protocol. */
  release(socket: Duplex): void;
  /** Leaves all to the parser from now on. */
  stop(): void;
}

/** What the parser has been given since a request was known to begin. */
interface Watch {
  /** Whether one was read whole before. */
  hasBegun: boolean;
  chunks: Buffer[];
  bytes: number;
  requests: number;
  request: IncomingMessage | undefined;
  response: ServerResponse | undefined;
}

/** Longer requests are left to the parser, and with them all that follow on their connection. */
const LONGEST = 16_384;
const MOST_REMEMBERED = 4096;
const MOST_BYTES = 8 * 1024 * 1024;
/** Up to here one piece of text is sent faster than two buffers. */
const SHORT_BODY = 4096;

export function createRepeatedRequests(): RepeatedRequests {
  const repeats = new LRUCache<string, Repeat>({
    max: MOST_REMEMBERED,
    maxSize: MOST_BYTES,
    // Each holds its body once more, and what else of it decides on the answer.
    sizeCalculation: (_repeat, bytes) => 3 * bytes.length + 512,
  });
  /** Connections of which it is known where requests begin. */
  const watches = new WeakMap<Duplex, Watch>();
  const listeners = new WeakMap<Duplex, (chunk: Buffer) => void>();
  let isStopped = false;

  /** Undefined where the chunk is no request that can be answered so; whoever reads it finds out why. */
  function repeat(socket: Socket, chunk: Buffer): RepeatedAnswer | undefined {
    if (isStopped || repeats.size === 0 || chunk.length > LONGEST || socket.writableLength > 0)
      return undefined;
    try {
      return repeats.get(chunk.toString('latin1'))?.(socket);
    } catch {
      return undefined;
    }
  }

  /** Answers true where the chunk was a request that has been answered. */
  function answer(socket: Socket, chunk: Buffer, idleMs: number): boolean {
    const repeated = repeat(socket, chunk);
    if (repeated === undefined) return false;
    send(socket, repeated);
    // As after each other answer; but who is still taking this one has the time for that.
    const timeoutMs = socket.writableLength > 0 ? idleMs : KEEP_ALIVE_SECONDS * 1000;
    if (socket.timeout !== timeoutMs) socket.setTimeout(timeoutMs);
    return true;
  }

  /** Whether the next byte begins a request. */
  function isAtStart(socket: Socket, watch: Watch): boolean {
    if (watch.bytes === 0) return watch.hasBegun;
    if (watch.bytes > LONGEST) watches.delete(socket);
    if (watch.response?.writableFinished !== true) return false;
    if (readWhole(watch) === undefined) {
      watches.delete(socket);
      return false;
    }
    watch.hasBegun = true;
    watch.chunks = [];
    watch.bytes = 0;
    watch.requests = 0;
    watch.request = undefined;
    watch.response = undefined;
    return true;
  }

  return {
    watch(socket, idleMs) {
      const [toParser, ...others] = socket.listeners('data');
      if (toParser === undefined || others.length > 0) return;
      watches.set(socket, createWatch());
      const onData = (chunk: Buffer) => {
        const watch = watches.get(socket);
        if (watch && isAtStart(socket, watch) && answer(socket, chunk, idleMs)) return;
        watch?.chunks.push(chunk);
        if (watch) watch.bytes += chunk.length;
        toParser.call(socket, chunk);
      };
      socket.off('data', toParser as () => void);
      socket.on('data', onData);
      listeners.set(socket, onData);
    },
    note(request, response) {
      const watch = watches.get(request.socket);
      if (watch === undefined) return;
      watch.requests += 1;
      watch.request = request;
      watch.response = response;
    },
    remember(request, repeat) {
      const watch = watches.get(request.socket);
      const bytes = watch?.request === request ? readWhole(watch) : undefined;
      if (bytes !== undefined) repeats.set(bytes.toString('latin1'), repeat);
    },
    release(socket) {
      const listener = listeners.get(socket);
      if (listener) socket.off('data', listener);
      watches.delete(socket);
    },
    stop() {
      isStopped = true;
    },
  };
}

function createWatch(): Watch {
  return { hasBegun: false, chunks: [], bytes: 0, requests: 0, request: undefined, response: undefined };
}

/** The bytes since the last start, where they are one request. */
function readWhole({ chunks, bytes, requests, request }: Watch): Buffer | undefined {
  if (requests !== 1 || request === undefined || bytes > LONGEST) return undefined;
  const whole = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
  return isWholeRequest(whole, request) ? whole : undefined;
}

function send(socket: Socket, { head, body }: RepeatedAnswer): void {
  if (body.length <= SHORT_BODY) {
    socket.write(head + body.toString('latin1'), 'latin1');
    return;
  }
  socket.cork();
  socket.write(head, 'latin1');
  socket.write(body);
  socket.uncork();
}
