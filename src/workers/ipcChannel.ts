/** Questions and answers between two processes over the pipe that Node gives a parent and its child. */
import { type ErrorCode, GatewayError, type PlatformStatus } from '../errors.js';

/** What may be asked over a channel, and what is answered: plain data, by name. */
export type Protocol = Readonly<Record<string, (question: never) => unknown>>;

type IpcRequest<Asked extends Protocol, Name extends keyof Asked> = Parameters<Asked[Name]>[0];
type IpcResponse<Asked extends Protocol, Name extends keyof Asked> = ReturnType<Asked[Name]>;

export interface IpcChannel<Requests extends Protocol, Responses extends Protocol> {
  /**
   * Rejects with what the other side failed with, and with CANCELLED where it is gone or takes longer than
   * `withinMs`.
   */
  request<Name extends keyof Requests & string>(
    name: Name,
    question: IpcRequest<Requests, Name>,
    withinMs?: number,
  ): Promise<IpcResponse<Requests, Name>>;
  /** Nobody waits, and whether it arrives is nobody's concern. */
  notify<Name extends keyof Requests & string>(name: Name, question: IpcRequest<Requests, Name>): void;
  /** How a question is answered from now on; what is thrown rejects the other side's `ask`. */
  handle<Name extends keyof Responses & string>(
    name: Name,
    handler: (
      question: IpcRequest<Responses, Name>,
    ) => IpcResponse<Responses, Name> | Promise<IpcResponse<Responses, Name>>,
  ): void;
  /** Nothing comes any more: whoever waits is told. */
  close(): void;
}

/** One end of the pipe. */
export interface IpcPort {
  /** Calls back with an error where the message can't be sent. */
  send(message: IpcMessage, done: (error: Error | null) => void): void;
  onMessage(listener: (message: unknown) => void): void;
}

export type IpcMessage =
  | { name: string; request: unknown; id?: number }
  | { id: number; response: unknown }
  | { id: number; failure: IpcFailure };

/** An error as it crosses the pipe, which takes nothing of it but its message. */
interface IpcFailure {
  message: string;
  code?: ErrorCode;
  retryable?: boolean;
  retryAfterMs?: number | undefined;
  platform?: PlatformStatus | undefined;
}

interface PendingRequest {
  resolve(response: unknown): void;
  reject(error: Error): void;
}

/** Long enough for whatever is asked of a process that is alive. */
const DEFAULT_TIMEOUT_MS = 30_000;

export function createIpcChannel<Requests extends Protocol, Responses extends Protocol>(
  port: IpcPort,
): IpcChannel<Requests, Responses> {
  const waiting = new Map<number, PendingRequest>();
  const handlers = new Map<string, (request: never) => unknown>();
  let requestCount = 0;
  let isClosed = false;

  function settle(message: Exclude<IpcMessage, { name: string }>): void {
    const pending = waiting.get(message.id);
    waiting.delete(message.id);
    if ('failure' in message) pending?.reject(toError(message.failure));
    else pending?.resolve(message.response);
  }

  async function handle({ name, request, id }: Extract<IpcMessage, { name: string }>): Promise<void> {
    const reply = await runHandler(handlers.get(name), request);
    if (id !== undefined) port.send({ id, ...reply }, () => undefined);
  }

  port.onMessage((message) => {
    if (!isMessage(message)) return;
    if ('name' in message) void handle(message);
    else settle(message);
  });

  return {
    request(name, request, withinMs = DEFAULT_TIMEOUT_MS) {
      const id = ++requestCount;
      return new Promise((resolve, reject) => {
        if (isClosed) return reject(createPeerGoneError());
        const timer = setTimeout(
          () => settle({ id, failure: toFailure(createPeerGoneError()) }),
          withinMs,
        ).unref();
        const end = <Value>(then: (value: Value) => void) => {
          return (value: Value) => {
            clearTimeout(timer);
            then(value);
          };
        };
        waiting.set(id, { resolve: end(resolve as (response: unknown) => void), reject: end(reject) });
        port.send({ name, request, id }, (error) => {
          if (error) settle({ id, failure: toFailure(createPeerGoneError()) });
        });
      });
    },
    notify(name, request) {
      if (!isClosed) port.send({ name, request }, () => undefined);
    },
    handle(name, handler) {
      handlers.set(name, handler);
    },
    close() {
      isClosed = true;
      for (const id of [...waiting.keys()]) settle({ id, failure: toFailure(createPeerGoneError()) });
    },
  };
}

async function runHandler(
  handler: ((request: never) => unknown) | undefined,
  request: unknown,
): Promise<{ response: unknown } | { failure: IpcFailure }> {
  try {
    if (handler === undefined) throw new Error('Nobody answers to this.');
    return { response: await handler(request as never) };
  } catch (error) {
    return { failure: toFailure(error) };
  }
}

/** Other messages pass through the same pipe: those of Node's own cluster. */
function isMessage(message: unknown): message is IpcMessage {
  if (typeof message !== 'object' || message === null) return false;
  const { name, id } = message as Record<string, unknown>;
  return typeof name === 'string' || typeof id === 'number';
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
  return new GatewayError('CANCELLED', 'Another process of the gateway does not answer.', {
    retryable: true,
  });
}
