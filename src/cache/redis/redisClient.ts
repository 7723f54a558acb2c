/** The client library of Redis: loads it when it is needed, creates clients, reads their errors, and bounds their time. */
import { createRequire } from 'node:module';
import type * as RedisLibrary from '@redis/client';
import { codeOf } from '../../lib/errorMessage.js';

/** Loaded only if Redis is configured: loading takes 0.2 s and 18 MB. */
const requireModule = createRequire(import.meta.url);
const loadLibrary = () => requireModule('@redis/client') as typeof RedisLibrary;

export type RedisClient = ReturnType<typeof createRedisClient>;

/** Commands waiting to be written; further ones resolve to undefined. */
const MAX_QUEUED_COMMANDS = 10_000;

/** A client that is not connected yet. `connectTimeout` in milliseconds. */
export function createRedisClient(url: string, connectTimeout: number) {
  // `createClient` builds a class with all commands for each client, which takes 29 ms. A factory keeps its class.
  const client = loadLibrary().RedisClient.factory({})({
    url,
    disableOfflineQueue: true,
    commandsQueueMaxLength: MAX_QUEUED_COMMANDS,
    maintNotifications: 'disabled',
    socket: { connectTimeout, reconnectStrategy: false },
  });
  client.unref();
  return client;
}

/** Whether Redis replied with an error, as opposed to a failure of the connection. */
export function isErrorReply(error: unknown): error is Error {
  return error instanceof loadLibrary().ErrorReply;
}

/** The message of the library's error for bytes that Redis does not send. */
export const NOT_REDIS = /^Unknown RESP type/;

/** Redis does not send the code NOPERM if the user lacks a right that a script needs. */
const SCRIPT_REFUSAL = /^ERR .*\bThe user executing the script can't /;

/** Returns only the error's code, because the message can contain an address or the command. */
export function toErrorCode(error: unknown): string {
  if (!(error instanceof Error)) return 'UNKNOWN';
  if (error instanceof loadLibrary().SocketClosedUnexpectedlyError) return 'ECONNRESET';
  if (error instanceof loadLibrary().ConnectionTimeoutError) return 'TIMEOUT';
  if (NOT_REDIS.test(error.message)) return 'NOT_REDIS';
  if (SCRIPT_REFUSAL.test(error.message)) return 'NOPERM';
  return codeOf(error) ?? /^[A-Z]+(?=\b)/.exec(error.message)?.[0] ?? error.constructor.name;
}

export type DeadlineOutcome<Value> =
  | { kind: 'done'; value: Value }
  | { kind: 'failed'; error: unknown }
  | { kind: 'late' };

/**
 * Waits for a promise up to a deadline. The timeout of the Redis client does not do this: it ends when a command is sent.
 * Never rejects. Late work continues, and its result is ignored.
 */
export function withinDeadline<Value>(
  work: Promise<Value>,
  deadlineMs: number,
): Promise<DeadlineOutcome<Value>> {
  return new Promise((resolve) => {
    // If this process was busy, the timer may be due before a reply that has arrived is read. The immediate
    // reads the reply first.
    const timer = setTimeout(() => setImmediate(() => resolve({ kind: 'late' })), deadlineMs);
    const settle = (outcome: DeadlineOutcome<Value>) => {
      clearTimeout(timer);
      resolve(outcome);
    };
    work.then(
      (value) => settle({ kind: 'done', value }),
      (error: unknown) => settle({ kind: 'failed', error }),
    );
  });
}
