/** Questions and answers between two processes over the pipe that Node gives a parent and its child. */
import { type ErrorCode, GatewayError, type PlatformStatus } from '../errors.js';

/** What may be asked over a channel, and what is answered: plain data, by name. */
export type Protocol = Readonly<Record<string, (question: never) => unknown>>;

type Question<Asked extends Protocol, Name extends keyof Asked> = Parameters<Asked[Name]>[0];
type Answer<Asked extends Protocol, Name extends keyof Asked> = ReturnType<Asked[Name]>;

export interface Channel<Asks extends Protocol, Answers extends Protocol> {
  /**
   * Rejects with what the other side failed with, and with CANCELLED where it is gone or takes longer than
   * `withinMs`.
   */
  ask<Name extends keyof Asks & string>(
    name: Name,
    question: Question<Asks, Name>,
    withinMs?: number,
  ): Promise<Answer<Asks, Name>>;
  /** Nobody waits, and whether it arrives is nobody's concern. */
  tell<Name extends keyof Asks & string>(name: Name, question: Question<Asks, Name>): void;
  /** How a question is answered from now on; what is thrown rejects the other side's `ask`. */
  answer<Name extends keyof Answers & string>(
    name: Name,
    handler: (question: Question<Answers, Name>) => Answer<Answers, Name> | Promise<Answer<Answers, Name>>,
  ): void;
  /** Nothing comes any more: whoever waits is told. */
  close(): void;
}

/** One end of the pipe. */
export interface Port {
  /** Calls back with an error where the message can't be sent. */
  send(message: object, done: (error: Error | null) => void): void;
  onMessage(listener: (message: unknown) => void): void;
}

type Message =
  | { name: string; question: unknown; id?: number }
  | { id: number; answer: unknown }
  | { id: number; failure: Failure };

/** An error as it crosses the pipe, which takes nothing of it but its message. */
interface Failure {
  message: string;
  code?: ErrorCode;
  retryable?: boolean;
  retryAfterMs?: number | undefined;
  platform?: PlatformStatus | undefined;
}

interface Waiting {
  resolve(answer: unknown): void;
  reject(error: Error): void;
}

/** Long enough for whatever is asked of a process that is alive. */
const USUAL_WAIT_MS = 30_000;

export function createChannel<Asks extends Protocol, Answers extends Protocol>(
  port: Port,
): Channel<Asks, Answers> {
  const waiting = new Map<number, Waiting>();
  const handlers = new Map<string, (question: never) => unknown>();
  let asked = 0;
  let isClosed = false;

  function settle(message: Exclude<Message, { name: string }>): void {
    const asker = waiting.get(message.id);
    waiting.delete(message.id);
    if ('failure' in message) asker?.reject(toError(message.failure));
    else asker?.resolve(message.answer);
  }

  async function handle({ name, question, id }: Extract<Message, { name: string }>): Promise<void> {
    const reply = await answerOf(handlers.get(name), question);
    if (id !== undefined) port.send({ id, ...reply }, () => undefined);
  }

  port.onMessage((message) => {
    if (!isMessage(message)) return;
    if ('name' in message) void handle(message);
    else settle(message);
  });

  return {
    ask(name, question, withinMs = USUAL_WAIT_MS) {
      const id = ++asked;
      return new Promise((resolve, reject) => {
        if (isClosed) return reject(gone());
        const timer = setTimeout(() => settle({ id, failure: toFailure(gone()) }), withinMs).unref();
        const end = <Value>(then: (value: Value) => void) => {
          return (value: Value) => {
            clearTimeout(timer);
            then(value);
          };
        };
        waiting.set(id, { resolve: end(resolve as (answer: unknown) => void), reject: end(reject) });
        port.send({ name, question, id }, (error) => {
          if (error) settle({ id, failure: toFailure(gone()) });
        });
      });
    },
    tell(name, question) {
      if (!isClosed) port.send({ name, question }, () => undefined);
    },
    answer(name, handler) {
      handlers.set(name, handler);
    },
    close() {
      isClosed = true;
      for (const id of [...waiting.keys()]) settle({ id, failure: toFailure(gone()) });
    },
  };
}

async function answerOf(
  handler: ((question: never) => unknown) | undefined,
  question: unknown,
): Promise<{ answer: unknown } | { failure: Failure }> {
  try {
    if (handler === undefined) throw new Error('Nobody answers to this.');
    return { answer: await handler(question as never) };
  } catch (error) {
    return { failure: toFailure(error) };
  }
}

/** Other messages pass through the same pipe: those of Node's own cluster. */
function isMessage(message: unknown): message is Message {
  if (typeof message !== 'object' || message === null) return false;
  const { name, id } = message as Record<string, unknown>;
  return typeof name === 'string' || typeof id === 'number';
}

function toFailure(error: unknown): Failure {
  if (!(error instanceof GatewayError)) return { message: String(error) };
  const { message, code, retryable, retryAfterMs, platform } = error;
  return { message, code, retryable, retryAfterMs, platform };
}

function toError({ message, code, ...details }: Failure): Error {
  return code === undefined ? new Error(message) : new GatewayError(code, message, details);
}

function gone(): GatewayError {
  return new GatewayError('CANCELLED', 'Another process of the gateway does not answer.', {
    retryable: true,
  });
}
