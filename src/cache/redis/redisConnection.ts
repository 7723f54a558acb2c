/**
 * One connection to Redis that nobody ever waits for: what can't be had at once counts as not there, and the
 * connection is made anew behind everybody's back. Needs Redis 6 or later; made for one server, not a cluster.
 */
import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import type * as RedisClient from '@redis/client';
import type { Clock } from '../../lib/clock.js';
import type { Logger } from '../../lib/logger.js';
import { reconnectDelayMs } from './reconnectDelay.js';
import { type DeadlineOutcome, withinDeadline } from './withinDeadline.js';

export interface RedisConnection {
  /**
   * The reply, with texts as strings and nil as null. Resolves to undefined when Redis is away, slow beyond
   * the deadline, or refuses; never rejects, never waits longer than the deadline.
   */
  command(args: readonly (string | Buffer)[]): Promise<unknown | undefined>;
  /** The same with a Lua script, which is sent once and called by its hash from then on. */
  script(source: string, keys: readonly string[], args: readonly string[]): Promise<unknown | undefined>;
  /** Listens from now on, over all the connections to come. */
  subscribe(subscription: RedisSubscription): void;
  isConnected(): boolean;
  /** Whether it has been found away and has not come back: there is nothing to wait for. */
  isUnavailable(): boolean;
  /** What is under way resolves to undefined. */
  close(): Promise<void>;
}

export interface RedisSubscription {
  channel: string;
  onMessage(message: string): void;
  /** Called each time that listening begins: messages before may have been missed. */
  onListening(): void;
}

export interface RedisConnectionOptions {
  /** `redis://` or `rediss://`, password included; it appears in no log line and no error. */
  url: string;
  /** The longest that anybody waits for a reply. */
  commandDeadlineMs: number;
  /** The longest that an attempt to connect may take; nobody waits for it. */
  connectTimeoutMs: number;
  logger: Logger;
  clock: Clock;
  /** From 0 up to 1. */
  random?: () => number;
}

/** So many late replies in a row, and the connection is given up: it hangs, or what it brings comes too late. */
const MAX_LATE_REPLIES = 3;
/** Commands waiting to be written; beyond that they count as not answered. */
const MAX_QUEUED_COMMANDS = 10_000;
/** A Redis that refuses, being full for example, does so for every command: one line is enough for so long. */
const REFUSAL_LOG_INTERVAL_MS = 60_000;

/** Loaded for those who have a Redis: it takes a fifth of a second and 18 MB. */
const requireModule = createRequire(import.meta.url);
const loadRedisClient = () => requireModule('@redis/client') as typeof RedisClient;

type RedisClientInstance = ReturnType<typeof createClient>;

/** Begins to connect. Throws where the URL is none for Redis. */
export function createRedisConnection(options: RedisConnectionOptions): RedisConnection {
  const { url, commandDeadlineMs, connectTimeoutMs, logger, clock, random = Math.random } = options;
  const subscriptions: RedisSubscription[] = [];
  const hashes = new Map<string, string>();
  let current: RedisClientInstance | undefined;
  let isUp = false;
  let isClosed = false;
  let announced: 'up' | 'away' | undefined;
  let failures = 0;
  let lateReplies = 0;
  let refusalsSilentUntilMs = 0;
  let retry: NodeJS.Timeout | undefined;

  function connect(): void {
    const client = createClient(url, connectTimeoutMs);
    current = client;
    client.on('error', (error: unknown) => leave(client, toErrorCode(error)));
    void withinDeadline(greet(client), connectTimeoutMs).then((outcome) => {
      if (outcome.kind === 'done') arrive(client);
      else leave(client, outcome.kind === 'late' ? 'TIMEOUT' : toErrorCode(outcome.error));
    });
  }

  /** A Redis that can't answer a PING in time would only cost everybody the deadline. */
  async function greet(client: RedisClientInstance): Promise<void> {
    await client.connect();
    const ping = await withinDeadline(client.sendCommand(['PING']), commandDeadlineMs);
    if (ping.kind === 'failed') throw ping.error;
    if (ping.kind === 'late') throw new Error('SLOW');
  }

  function arrive(client: RedisClientInstance): void {
    if (current !== client) return;
    isUp = true;
    lateReplies = 0;
    if (announced !== 'up') logger.info({}, 'Redis is there');
    announced = 'up';
    for (const subscription of subscriptions) listen(client, subscription);
  }

  function listen(client: RedisClientInstance, { channel, onMessage, onListening }: RedisSubscription): void {
    client.subscribe(channel, onMessage).then(
      () => {
        if (current === client) onListening();
      },
      (error: unknown) => leave(client, toErrorCode(error)),
    );
  }

  function leave(client: RedisClientInstance, reason: string): void {
    if (current !== client) return;
    current = undefined;
    isUp = false;
    client.destroy();
    if (isClosed) return;
    if (announced !== 'away') logger.warn({ reason }, 'Redis is away; nothing is shared until it is back');
    announced = 'away';
    failures += 1;
    retry = setTimeout(connect, reconnectDelayMs(failures, random())).unref();
  }

  async function ask(run: (client: RedisClientInstance) => Promise<unknown>): Promise<unknown> {
    const client = current;
    if (client === undefined || !isUp) return undefined;
    const outcome = await withinDeadline(run(client), commandDeadlineMs);
    if (current === client) note(client, outcome);
    return outcome.kind === 'done' ? outcome.value : undefined;
  }

  function note(client: RedisClientInstance, outcome: DeadlineOutcome<unknown>): void {
    lateReplies = outcome.kind === 'late' ? lateReplies + 1 : 0;
    if (lateReplies >= MAX_LATE_REPLIES) leave(client, 'SLOW');
    if (outcome.kind === 'done') failures = 0;
    if (outcome.kind === 'failed') noteRefusal(outcome.error);
  }

  function noteRefusal(error: unknown): void {
    if (!(error instanceof loadRedisClient().ErrorReply) || clock.now() < refusalsSilentUntilMs) return;
    refusalsSilentUntilMs = clock.now() + REFUSAL_LOG_INTERVAL_MS;
    logger.warn({ reason: toErrorCode(error) }, 'Redis refuses a command');
  }

  function hashOf(source: string): string {
    const hash = hashes.get(source) ?? createHash('sha1').update(source).digest('hex');
    hashes.set(source, hash);
    return hash;
  }

  if (!isRedisUrl(url)) throw new Error('The URL of Redis is none that begins with redis:// or rediss://');
  connect();
  return {
    command: (args) => ask((client) => client.sendCommand(args)),
    script: (source, keys, args) => {
      const rest = [String(keys.length), ...keys, ...args];
      return ask((client) =>
        client.sendCommand(['EVALSHA', hashOf(source), ...rest]).catch((error: unknown) => {
          if (toErrorCode(error) !== 'NOSCRIPT') throw error;
          return client.sendCommand(['EVAL', source, ...rest]);
        }),
      );
    },
    subscribe(subscription) {
      subscriptions.push(subscription);
      if (current && isUp) listen(current, subscription);
    },
    isConnected: () => isUp,
    isUnavailable: () => announced === 'away',
    async close() {
      isClosed = true;
      clearTimeout(retry);
      if (current) leave(current, 'CLOSED');
    },
  };
}

function createClient(url: string, connectTimeout: number) {
  const client = loadRedisClient().createClient({
    url,
    disableOfflineQueue: true,
    commandsQueueMaxLength: MAX_QUEUED_COMMANDS,
    maintNotifications: 'disabled',
    socket: { connectTimeout, reconnectStrategy: false },
  });
  client.unref();
  return client;
}

function isRedisUrl(url: string): boolean {
  return /^rediss?:\/\//.test(url) && URL.canParse(url);
}

/** Only the error's code: what a message says can hold an address or what was sent. */
function toErrorCode(error: unknown): string {
  if (!(error instanceof Error)) return 'UNKNOWN';
  if ('code' in error && typeof error.code === 'string') return error.code;
  return /^[A-Z]+(?=\b)/.exec(error.message)?.[0] ?? error.constructor.name;
}
