/**
 * Requests and responses between a parent process and its child over Node's IPC pipe, and the parent's end of the pipe,
 * with a bound for the messages that the child has not read.
 */
import type { ChildProcess } from 'node:child_process';
import { serialize } from 'node:v8';
import { GatewayError } from '../errors.js';
import { isRecord } from '../lib/records.js';

/** The requests of one side by name: the parameter is the request's payload, the result is the response. */
type Protocol = Readonly<Record<string, (payload: never) => unknown>>;

type IpcPayload<Requests extends Protocol, Name extends keyof Requests> = Parameters<Requests[Name]>[0];
type IpcResponse<Requests extends Protocol, Name extends keyof Requests> = ReturnType<Requests[Name]>;

export interface IpcChannel<Requests extends Protocol, Responses extends Protocol> {
  /** Rejects with the other side's error, and with CANCELLED if the other side has exited or `timeoutMs` has passed. */
  request<Name extends keyof Requests & string>(
    name: Name,
    payload: IpcPayload<Requests, Name>,
    timeoutMs?: number,
  ): Promise<IpcResponse<Requests, Name>>;
  /** Sends without waiting for a response. Delivery is not guaranteed. */
  notify<Name extends keyof Requests & string>(name: Name, payload: IpcPayload<Requests, Name>): void;
  /** Sets the handler of a request. An error that it throws rejects the other side's `request`. */
  handle<Name extends keyof Responses & string>(
    name: Name,
    handler: (
      payload: IpcPayload<Responses, Name>,
    ) => IpcResponse<Responses, Name> | Promise<IpcResponse<Responses, Name>>,
  ): void;
  /** Rejects all pending requests and every later one. */
  close(): void;
}

/** One end of the pipe. */
export interface IpcPort {
  /** Calls `done` with an error if the message can't be sent. */
  send(message: object, done: (error: Error | null) => void): void;
  onMessage(listener: (message: unknown) => void): void;
}

interface IpcRequest {
  name: string;
  payload: unknown;
  /** Absent for a notification. */
  id?: number;
}

type IpcReply = { id: number; response: unknown } | { id: number; failure: IpcFailure };

/** The fields of an error that survive the pipe: structured clone copies only an error's message. */
interface IpcFailure extends Partial<Pick<GatewayError, 'code' | 'retryable' | 'retryAfterMs' | 'platform'>> {
  message: string;
}

interface PendingRequest {
  resolve(response: unknown): void;
  reject(error: Error): void;
  timer: NodeJS.Timeout;
}

type Handler = (payload: never) => unknown;

const DEFAULT_TIMEOUT_MS = 30_000;

export function createIpcChannel<Requests extends Protocol, Responses extends Protocol>(
  port: IpcPort,
): IpcChannel<Requests, Responses> {
  const pending = new Map<number, PendingRequest>();
  const handlers = new Map<string, Handler>();
  let lastId = 0;
  let isClosed = false;

  function settle(reply: IpcReply): void {
    const request = pending.get(reply.id);
    if (request === undefined) return;
    pending.delete(reply.id);
    clearTimeout(request.timer);
    if ('failure' in reply) request.reject(toError(reply.failure));
    else request.resolve(reply.response);
  }

  const failAsGone = (id: number) => settle({ id, failure: toFailure(createPeerGoneError()) });

  async function respond({ name, payload, id }: IpcRequest): Promise<void> {
    // A caller whose reply arrived before this request continues first.
    await undefined;
    const result = await runHandler(handlers.get(name), payload);
    if (id !== undefined) port.send({ id, ...result }, () => undefined);
  }

  port.onMessage((message) => {
    if (isRequest(message)) void respond(message);
    else if (isReply(message)) settle(message);
  });

  return {
    request(name, payload, timeoutMs = DEFAULT_TIMEOUT_MS) {
      const id = ++lastId;
      return new Promise((resolve, reject) => {
        if (isClosed) return reject(createPeerGoneError());
        const timer = setTimeout(() => failAsGone(id), timeoutMs).unref();
        pending.set(id, { resolve: resolve as (response: unknown) => void, reject, timer });
        port.send({ name, payload, id }, (error) => {
          if (error) failAsGone(id);
        });
      });
    },
    notify(name, payload) {
      if (!isClosed) port.send({ name, payload }, () => undefined);
    },
    handle(name, handler) {
      handlers.set(name, handler);
    },
    close() {
      isClosed = true;
      for (const id of [...pending.keys()]) failAsGone(id);
    },
  };
}

async function runHandler(
  handler: Handler | undefined,
  payload: unknown,
): Promise<{ response: unknown } | { failure: IpcFailure }> {
  try {
    if (handler === undefined) throw new Error('This request has no handler.');
    return { response: await handler(payload as never) };
  } catch (error) {
    return { failure: toFailure(error) };
  }
}

/** Node's cluster sends messages of its own through the same pipe; those have neither a `name` nor an `id`. */
function isRequest(message: unknown): message is IpcRequest {
  return isRecord(message) && typeof message['name'] === 'string';
}

function isReply(message: unknown): message is IpcReply {
  return isRecord(message) && typeof message['id'] === 'number';
}

function toFailure(error: unknown): IpcFailure {
  if (!(error instanceof GatewayError)) return { message: String(error) };
  const { message, code, retryable, retryAfterMs, platform } = error;
  return { message, code, retryable, retryAfterMs, platform };
}

function toError({ message, code, ...details }: IpcFailure): Error {
  return code === undefined ? new Error(message) : new GatewayError(code, message, details);
}

function createPeerGoneError(): GatewayError {
  return new GatewayError('CANCELLED', 'Another process of the gateway does not respond.', {
    retryable: true,
  });
}

interface WorkerPortOptions {
  /** Bytes that may be unsent. Node queues up to 128 KB in addition before they are counted. */
  maxUnsentBytes?: number;
  /** Called once, with the unsent bytes, when a message exceeds the bound. The worker must then be ended. */
  onExceeded(unsentBytes: number): void;
}

/** Enough for the samples of several minutes, at the highest rate that a poll can deliver. */
const MAX_UNSENT_BYTES = 32 * 1024 * 1024;

/**
 * Counts only messages that the pipe did not take at once. Their bytes are known after serializing them again, which is
 * not needed while the worker reads. After the bound is exceeded, nothing is sent.
 */
export function createWorkerPort(
  worker: ChildProcess,
  { maxUnsentBytes = MAX_UNSENT_BYTES, onExceeded }: WorkerPortOptions,
): IpcPort {
  let unsentBytes = 0;
  let isExceeded = false;

  function send(message: object, done: (error: Error | null) => void): void {
    let bytes = 0;
    const isTaken = worker.send(message, (error) => {
      unsentBytes -= bytes;
      done(error);
    });
    if (isTaken) return;
    bytes = serialize(message).byteLength;
    unsentBytes += bytes;
    if (unsentBytes <= maxUnsentBytes) return;
    isExceeded = true;
    onExceeded(unsentBytes);
  }

  return {
    send(message, done) {
      if (worker.connected && !isExceeded) send(message, done);
      else done(new Error('The worker has exited or does not read.'));
    },
    onMessage: (listener) => worker.on('message', listener),
  };
}
