/**
 * One connection to Redis that never makes a caller wait: without a reply within the deadline, commands resolve to
 * undefined, and a lost connection is replaced in the background. Needs one server of Redis 6 or later, no cluster.
 */

import { createHash } from 'node:crypto';
import { type Clock, doubledMs } from '../../lib/clock.js';
import type { Logger } from '../../lib/logger.js';
import {
  createRedisClient,
  type DeadlineOutcome,
  isErrorReply,
  type RedisClient,
  toErrorCode,
  withinDeadline,
} from './redisClient.js';

interface RedisSubscription {
  channel: string;
  onMessage(message: string): void;
  /** Called each time that listening begins: earlier messages may have been missed. */
  onListening?(): void;
}

interface RedisCounts {
  /** Commands to which Redis replied with an error, for example because it is full. */
  refusals: number;
  /** Lost connections; failed attempts to connect are not counted. */
  disconnects: number;
}

export interface RedisConnectionOptions {
  /** `redis://` or `rediss://`, including the password; it appears in no log line and no error. */
  url: string;
  commandDeadlineMs: number;
  connectTimeoutMs: number;
  logger: Logger;
  clock: Clock;
}

/** Redis is optional: after this time an operation continues without its reply. */
export const COMMAND_DEADLINE_MS = 50;
/** After this many late replies in a row the connection is replaced. */
const MAX_LATE_REPLIES = 3;
/** Invalidations delete keys in scripts, so this script deletes a key that does not exist. */
const TEST_SCRIPT = ['EVAL', "return redis.call('DEL', KEYS[1])", '1', 'fieldgraph:absent'];
/**
 * Redis refuses all writes, not only those that need memory: for example because it has become a replica, in which case
 * a new connection reaches its successor, or because it waits for the script of another client. Redis 6 puts the code of
 * an error in a script at the end of the message.
 */
const WRITE_REFUSAL = /\b(?:READONLY|MISCONF|NOREPLICAS|BUSY)\b/;
/** A full Redis refuses every write, so refusals are logged at most once in this interval. */
const REFUSAL_LOG_INTERVAL_MS = 60_000;
/** After this many failures in a row nobody waits for the connection. On a busy machine the first reply can be late. */
const MAX_FAILURES = 3;
const FIRST_RECONNECT_MS = 200;
const MAX_RECONNECT_MS = 5000;

type ConnectionState =
  | { name: 'connecting'; client: RedisClient }
  | { name: 'connected'; client: RedisClient; runId: string | undefined }
  | { name: 'waiting'; retry: NodeJS.Timeout }
  | { name: 'closed' };

interface Handshake {
  runId: string | undefined;
  /** Subscriptions of the new connection. */
  subscriptions: readonly RedisSubscription[];
}

export class RedisConnection {
  readonly #options: RedisConnectionOptions;
  readonly #subscriptions: RedisSubscription[] = [];
  readonly #scriptHashes = new Map<string, string>();
  #state: ConnectionState;
  /** Consecutive lost connections and failed attempts; a reply resets it. */
  #failures = 0;
  #lateReplies = 0;
  #logged: 'connected' | 'unavailable' | undefined;
  #mayLogRefusalAtMs = 0;
  readonly #counts: RedisCounts = { refusals: 0, disconnects: 0 };

  /** Begins to connect. Throws if the URL is not a Redis URL. */
  constructor(options: RedisConnectionOptions) {
    if (!isRedisUrl(options.url)) throw new Error('The URL of Redis must begin with redis:// or rediss://');
    this.#options = options;
    this.#state = this.#connect();
  }

  /**
   * The reply, with texts as strings and nil as null. Resolves to undefined if Redis is unavailable, misses the
   * deadline or refuses the command. Never rejects.
   */
  command(args: readonly (string | Buffer)[]): Promise<unknown> {
    return this.#run((client) => client.sendCommand(args));
  }

  /** Runs a Lua script in the same way as `command`. The script is sent once and then called by its hash. */
  script(
    source: string,
    keys: readonly string[],
    args: readonly string[],
    deadlineMs?: number,
  ): Promise<unknown> {
    const rest = [String(keys.length), ...keys, ...args];
    const run = (client: RedisClient) =>
      client.sendCommand(['EVALSHA', this.#scriptHash(source), ...rest]).catch((error: unknown) => {
        if (toErrorCode(error) !== 'NOSCRIPT') throw error;
        return client.sendCommand(['EVAL', source, ...rest]);
      });
    return this.#run(run, deadlineMs);
  }

  /** Listens on this connection and on all that replace it. */
  subscribe(subscription: RedisSubscription): void {
    this.#subscriptions.push(subscription);
    if (this.#state.name === 'connected') this.#listen(this.#state.client, subscription);
  }

  isConnected(): boolean {
    return this.#state.name === 'connected';
  }

  /**
   * Changes each time that the server starts, because it may then have loaded old data, and when another server
   * takes over. Undefined while Redis is not connected, and if the user may not read the id (INFO).
   */
  runId(): string | undefined {
    return this.#state.name === 'connected' ? this.#state.runId : undefined;
  }

  /** Whether it is not worth waiting for the connection. */
  isUnavailable(): boolean {
    return this.#failures >= MAX_FAILURES;
  }

  counts(): RedisCounts {
    return { ...this.#counts };
  }

  /** Commands in flight resolve to undefined. */
  async close(): Promise<void> {
    const state = this.#state;
    this.#state = { name: 'closed' };
    if (state.name === 'waiting') clearTimeout(state.retry);
    if ('client' in state) state.client.destroy();
  }

  #connect(): ConnectionState {
    const { url, connectTimeoutMs } = this.#options;
    const client = createRedisClient(url, connectTimeoutMs);
    client.on('error', (error: unknown) => this.#onLost(client, toErrorCode(error)));
    // The client does not close a socket that is still connecting when the client is destroyed.
    client.on('connect', () => {
      if (!this.#isCurrent(client)) client.destroy();
    });
    void withinDeadline(this.#handshake(client), connectTimeoutMs).then((outcome) => {
      if (outcome.kind === 'done') this.#onConnected(client, outcome.value);
      else this.#onLost(client, outcome.kind === 'late' ? 'TIMEOUT' : toErrorCode(outcome.error));
    });
    return { name: 'connecting', client };
  }

  /**
   * A Redis that does not reply within the deadline would only delay every caller. If it refuses the script, entries
   * could not be invalidated there; if it refuses a subscription, the invalidations of other replicas would not arrive.
   */
  async #handshake(client: RedisClient): Promise<Handshake> {
    await client.connect();
    const { commandDeadlineMs } = this.#options;
    const [write, info] = await Promise.all([
      withinDeadline(client.sendCommand(TEST_SCRIPT), commandDeadlineMs),
      withinDeadline(client.sendCommand(['INFO', 'server']), commandDeadlineMs),
    ]);
    if (write.kind === 'failed') throw write.error;
    if (write.kind === 'late' || info.kind === 'late') throw new Error('SLOW');
    const subscriptions = [...this.#subscriptions];
    await Promise.all(subscriptions.map(({ channel, onMessage }) => client.subscribe(channel, onMessage)));
    // Some users may not read `INFO`.
    const runId = info.kind === 'done' ? /^run_id:(\w+)/m.exec(String(info.value))?.[1] : undefined;
    return { runId, subscriptions };
  }

  /** Callbacks of clients that were replaced are ignored. */
  #isCurrent(client: RedisClient): boolean {
    return 'client' in this.#state && this.#state.client === client;
  }

  #onConnected(client: RedisClient, { runId, subscriptions }: Handshake): void {
    if (!this.#isCurrent(client)) return;
    this.#state = { name: 'connected', client, runId };
    this.#lateReplies = 0;
    if (this.#logged !== 'connected') this.#options.logger.info({}, 'Redis connected');
    this.#logged = 'connected';
    for (const subscription of this.#subscriptions) {
      if (subscriptions.includes(subscription)) subscription.onListening?.();
      else this.#listen(client, subscription);
    }
  }

  #listen(client: RedisClient, { channel, onMessage, onListening }: RedisSubscription): void {
    client.subscribe(channel, onMessage).then(
      () => {
        if (this.#isCurrent(client)) onListening?.();
      },
      (error: unknown) => this.#onLost(client, toErrorCode(error)),
    );
  }

  #onLost(client: RedisClient, reason: string): void {
    if (!this.#isCurrent(client)) return;
    const { logger } = this.#options;
    if (this.#logged !== 'unavailable') logger.warn({ reason }, 'Redis unavailable; retrying');
    this.#logged = 'unavailable';
    if (this.#state.name === 'connected') this.#counts.disconnects += 1;
    this.#failures += 1;
    const connect = () => {
      this.#state = this.#connect();
    };
    const retry = setTimeout(connect, reconnectDelayMs(this.#failures)).unref();
    this.#state = { name: 'waiting', retry };
    client.destroy();
  }

  async #run(
    command: (client: RedisClient) => Promise<unknown>,
    deadlineMs = this.#options.commandDeadlineMs,
  ): Promise<unknown> {
    if (this.#state.name !== 'connected') return undefined;
    const { client } = this.#state;
    const outcome = await withinDeadline(command(client), deadlineMs);
    if (this.#isCurrent(client)) this.#record(client, outcome);
    return outcome.kind === 'done' ? outcome.value : undefined;
  }

  #record(client: RedisClient, outcome: DeadlineOutcome<unknown>): void {
    this.#lateReplies = outcome.kind === 'late' ? this.#lateReplies + 1 : 0;
    if (this.#lateReplies >= MAX_LATE_REPLIES) this.#onLost(client, 'SLOW');
    if (outcome.kind === 'done') this.#failures = 0;
    if (outcome.kind === 'failed') this.#recordRefusal(client, outcome.error);
  }

  #recordRefusal(client: RedisClient, error: unknown): void {
    if (!isErrorReply(error)) return;
    this.#counts.refusals += 1;
    const [writeRefusal] = WRITE_REFUSAL.exec(error.message) ?? [];
    if (writeRefusal) this.#onLost(client, writeRefusal);
    const { clock, logger } = this.#options;
    if (writeRefusal || clock.now() < this.#mayLogRefusalAtMs) return;
    this.#mayLogRefusalAtMs = clock.now() + REFUSAL_LOG_INTERVAL_MS;
    logger.warn({ reason: toErrorCode(error) }, 'Redis refused a command');
  }

  #scriptHash(source: string): string {
    const hash = this.#scriptHashes.get(source) ?? createHash('sha1').update(source).digest('hex');
    this.#scriptHashes.set(source, hash);
    return hash;
  }
}

/** Doubled with each failure in a row, in the upper half at random: replicas do not reconnect at the same moment. */
function reconnectDelayMs(failures: number): number {
  return (doubledMs(FIRST_RECONNECT_MS, failures, MAX_RECONNECT_MS) * (1 + Math.random())) / 2;
}

function isRedisUrl(url: string): boolean {
  return /^rediss?:\/\//.test(url) && URL.canParse(url);
}
