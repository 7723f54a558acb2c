/** The connection to a Redis that is down, hangs, refuses, crashes or is slow: callers neither wait nor fail. */
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { RedisConnection, type RedisConnectionOptions } from '../../../src/cache/redis/redisConnection.js';
import {
  isRedisAvailable,
  type RedisServer,
  startRedisProxy,
  startRedisServer,
} from '../../support/cache/redisServer.js';
import { findFreePort } from '../../support/freePort.js';
import { createRecordingLogger } from '../../support/http/edgeGateway.js';
import { runningClock } from '../../support/runningClock.js';
import { WAIT_MS } from '../../support/waiting.js';

const DEADLINE_MS = 100;
/**
 * Far more than a busy machine needs for immediate results, and far less than the deadlines of all commands in
 * sequence.
 */
const BUSY_MS = 10_000;
/** A command deadline that no test reaches: a command that waits for it fails its test. */
const NEVER_MS = 600_000;
const ECHO = 'return {KEYS[1], ARGV[1], #ARGV}';
const stops: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

function connect(options: Partial<RedisConnectionOptions> & { url: string }) {
  const logger = createRecordingLogger();
  const { lines } = logger;
  const connection = new RedisConnection({
    commandDeadlineMs: DEADLINE_MS,
    connectTimeoutMs: 1000,
    logger,
    clock: runningClock,
    ...options,
  });
  stops.push(() => connection.close());
  return { connection, lines, messages: () => lines.map(({ message }) => message) };
}

async function startServer(): Promise<RedisServer> {
  const server = await startRedisServer();
  stops.push(() => server.stop());
  return server;
}

const up = (connection: RedisConnection) =>
  vi.waitFor(() => expect(connection.isConnected()).toBe(true), { timeout: WAIT_MS, interval: 10 });
const away = (connection: RedisConnection) =>
  vi.waitFor(() => expect(connection.isConnected()).toBe(false), { timeout: WAIT_MS, interval: 10 });

/** A busy machine can mistake a hanging Redis for a slow one, so the request is repeated until it succeeds. */
async function eventually(connection: RedisConnection, args: string[], reply: unknown): Promise<void> {
  await vi.waitFor(async () => expect(await connection.command(args)).toEqual(reply), {
    timeout: WAIT_MS,
    interval: 20,
  });
}

/** In addition to the connection that sends the query. */
async function expectConnections(server: RedisServer, count: number): Promise<void> {
  await vi.waitFor(
    async () => expect(await server.ask('INFO clients')).toContain(`connected_clients:${count + 1}\r\n`),
    WAIT_MS,
  );
}

async function timed(work: () => Promise<unknown>): Promise<{ reply: unknown; tookMs: number }> {
  const startedAtMs = performance.now();
  const reply = await work();
  return { reply, tookMs: performance.now() - startedAtMs };
}

describe('without a Redis', () => {
  it('returns undefined at once, and logs once that Redis is down', async () => {
    const url = `redis://127.0.0.1:${await findFreePort()}`;
    const { connection, messages } = connect({ url, commandDeadlineMs: NEVER_MS });
    const replies = await Promise.all(
      Array.from({ length: 1000 }, () => timed(() => connection.command(['GET', 'a']))),
    );
    expect(new Set(replies.map(({ reply }) => reply))).toEqual(new Set([undefined]));
    expect(Math.max(...replies.map(({ tookMs }) => tookMs))).toBeLessThan(BUSY_MS);
    await sleep(800);
    expect(connection.isConnected()).toBe(false);
    expect(messages()).toEqual(['Redis unavailable; retrying']);
  });

  it('refuses an invalid URL, without its password in the error', () => {
    const url = 'https://:hunter2@example.com';
    expect(() => connect({ url })).toThrow(/redis:\/\//);
    expect(() => connect({ url })).not.toThrow(/hunter2/);
  });
});

describe.skipIf(!isRedisAvailable)('with a Redis (needs redis-server on the PATH)', () => {
  it('returns strings, numbers, lists and null, and undefined for refused commands', async () => {
    const { connection, lines } = connect({ url: (await startServer()).url });
    await up(connection);
    await eventually(connection, ['SET', 'a', 'text'], 'OK');
    await eventually(connection, ['GET', 'a'], 'text');
    await eventually(connection, ['GET', 'nothing'], null);
    await eventually(connection, ['MGET', 'a', 'nothing'], ['text', null]);
    await eventually(connection, ['INCR', 'n'], 1);
    expect(await connection.command(['INCR', 'a'])).toBeUndefined();
    expect(await connection.command(['INCR', 'a'])).toBeUndefined();
    expect(lines.filter(({ message }) => message === 'Redis refused a command')).toEqual([
      { level: 'warn', fields: { reason: 'ERR' }, message: 'Redis refused a command' },
    ]);
    expect(connection.counts()).toEqual({ refusals: 2, disconnects: 0 });
    expect(connection.isConnected()).toBe(true);
  });

  it('runs a script by its hash, also after Redis lost the script', async () => {
    const server = await startServer();
    const { connection } = connect({ url: server.url });
    await up(connection);
    const run = () => connection.script(ECHO, ['key'], ['argument']);
    await vi.waitFor(async () => expect(await run()).toEqual(['key', 'argument', 1]), WAIT_MS);
    expect(await server.ask('SCRIPT FLUSH')).toContain('OK');
    await vi.waitFor(async () => expect(await run()).toEqual(['key', 'argument', 1]), WAIT_MS);
    expect(await server.ask('INFO commandstats')).toMatch(/cmdstat_evalsha/);
  });

  it('waits for a hanging Redis no longer than the deadline, then not at all, and reconnects', async () => {
    const server = await startServer();
    const { connection, messages } = connect({ url: server.url });
    await up(connection);
    server.pause();
    const measured = await timed(() =>
      Promise.all(Array.from({ length: 200 }, () => connection.command(['GET', 'a']))),
    );
    expect(new Set(measured.reply as unknown[])).toEqual(new Set([undefined]));
    expect(measured.tookMs).toBeLessThan(DEADLINE_MS + BUSY_MS);
    await away(connection);
    const failed = await timed(async () => {
      for (let turn = 0; turn < 1000; turn += 1) await connection.command(['GET', 'a']);
    });
    expect(failed.tookMs).toBeLessThan(BUSY_MS);
    server.resume();
    await up(connection);
    await eventually(connection, ['PING'], 'PONG');
    await expectConnections(server, 1);
    expect(messages()).toEqual(['Redis connected', 'Redis unavailable; retrying', 'Redis connected']);
  });

  it.each([
    { reason: 'READONLY', refuse: 'REPLICAOF 127.0.0.1 1', accept: 'REPLICAOF NO ONE' },
    {
      reason: 'NOREPLICAS',
      refuse: 'CONFIG SET min-replicas-to-write 1',
      accept: 'CONFIG SET min-replicas-to-write 0',
    },
  ])('bypasses a Redis that refuses all writes ($reason), and uses it again', async (options) => {
    const { reason, refuse, accept } = options;
    const server = await startServer();
    const { connection, lines, messages } = connect({ url: server.url });
    await up(connection);
    await server.ask(refuse);
    await vi.waitFor(async () => {
      await connection.script("return redis.call('SET', KEYS[1], '')", ['a'], []);
      expect(lines.at(-1)?.fields).toEqual({ reason });
    }, WAIT_MS);
    // Attempts to reconnect fail.
    await sleep(800);
    expect(connection.isConnected()).toBe(false);
    await server.ask(accept);
    await up(connection);
    expect(messages()).toEqual(['Redis connected', 'Redis unavailable; retrying', 'Redis connected']);
    expect(connection.counts().disconnects).toBe(1);
  });

  it('bypasses a Redis that runs an endless script of another client', async () => {
    const server = await startServer();
    await server.ask('CONFIG SET lua-time-limit 1');
    const { connection, lines } = connect({ url: server.url });
    await up(connection);
    const script = server.ask('EVAL "while true do end" 0');
    await vi.waitFor(async () => {
      await connection.command(['GET', 'a']);
      expect(lines.at(-1)?.fields).toEqual({ reason: 'BUSY' });
    }, WAIT_MS);
    expect(connection.isConnected()).toBe(false);
    await server.ask('SCRIPT KILL');
    await script;
    await up(connection);
  });

  it.each([
    ['run scripts', '-eval'],
    ['delete keys in scripts', '-del'],
  ])('logs once that its user may not %s', async (_, right) => {
    const server = await startServer();
    await server.ask(`ACL SETUSER nobody on >p ~* &* +@all ${right}`);
    const { connection, messages, lines } = connect({
      url: server.url.replace('redis://', 'redis://nobody:p@'),
    });
    await vi.waitFor(() => expect(lines).toHaveLength(1), WAIT_MS);
    await sleep(800);
    expect(messages()).toEqual(['Redis unavailable; retrying']);
    expect(lines[0]?.fields).toEqual({ reason: 'NOPERM' });
    await server.ask(`ACL SETUSER nobody ${right.replace('-', '+')}`);
    await up(connection);
  });

  it('logs once that its user may not subscribe', async () => {
    const server = await startServer();
    await server.ask('ACL SETUSER nobody on >p ~* +@all resetchannels');
    const { connection, messages, lines } = connect({
      url: server.url.replace('redis://', 'redis://nobody:p@'),
    });
    connection.subscribe({ channel: 'news', onMessage: () => undefined });
    await vi.waitFor(() => expect(lines).toHaveLength(1), WAIT_MS);
    await sleep(800);
    expect(messages()).toEqual(['Redis unavailable; retrying']);
    expect(lines[0]?.fields).toEqual({ reason: 'NOPERM' });
    expect(connection.counts().disconnects).toBe(0);
    await server.ask('ACL SETUSER nobody allchannels');
    await up(connection);
  });

  it('says that the server is not Redis', async () => {
    const server = createServer(
      (socket) => void socket.on('error', () => undefined).write('SSH-2.0-server\r\n'),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    stops.push(async () => void server.close());
    const { lines } = connect({ url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}` });
    await vi.waitFor(() => expect(lines[0]?.fields).toEqual({ reason: 'NOT_REDIS' }), WAIT_MS);
  });

  it('names the loss of its connection by a code', async () => {
    const server = await startServer();
    const { connection, lines } = connect({ url: server.url });
    await up(connection);
    await server.stop();
    await away(connection);
    expect(lines.at(-1)).toMatchObject({ message: 'Redis unavailable; retrying' });
    expect(lines.at(-1)?.fields).toMatchObject({ reason: 'ECONNRESET' });
  });

  it('starts while Redis hangs', async () => {
    const server = await startServer();
    server.pause();
    const { connection } = connect({ url: server.url, commandDeadlineMs: NEVER_MS });
    expect((await timed(() => connection.command(['PING']))).tookMs).toBeLessThan(BUSY_MS);
    await sleep(1200);
    expect(connection.isConnected()).toBe(false);
    server.resume();
    await up(connection);
  });

  it('reconnects after a crash, and subscribes to its channels again', async () => {
    const server = await startServer();
    const { connection } = connect({ url: server.url });
    const heard: string[] = [];
    let listening = 0;
    connection.subscribe({
      channel: 'news',
      onMessage: (message) => heard.push(message),
      onListening: () => {
        listening += 1;
      },
    });
    await vi.waitFor(() => expect(listening).toBe(1), WAIT_MS);
    await server.ask('PUBLISH news first');
    await vi.waitFor(() => expect(heard).toEqual(['first']), WAIT_MS);
    await server.kill();
    await away(connection);
    expect(await connection.command(['PING'])).toBeUndefined();
    await server.restart();
    await vi.waitFor(() => expect(listening).toBe(2), WAIT_MS);
    await server.ask('PUBLISH news second');
    await vi.waitFor(() => expect(heard).toEqual(['first', 'second']), WAIT_MS);
    expect(connection.counts().disconnects).toBe(1);
  });

  it('pauses a Redis whose every reply comes after the deadline', async () => {
    const server = await startServer();
    const proxy = await startRedisProxy(server.port, DEADLINE_MS * 3);
    stops.push(() => proxy.stop());
    const { connection, messages } = connect({ url: proxy.url, connectTimeoutMs: 3000 });
    await vi.waitFor(() => expect(messages()).toHaveLength(1), WAIT_MS);
    await sleep(1000);
    expect(connection.isConnected()).toBe(false);
    expect(messages()).toEqual(['Redis unavailable; retrying']);
  });

  it('logs no password, right or wrong', async () => {
    const server = await startServer();
    await server.ask('CONFIG SET requirepass hunter2');
    const right = connect({ url: server.url.replace('redis://', 'redis://:hunter2@') });
    await up(right.connection);
    const wrong = connect({ url: server.url.replace('redis://', 'redis://:hunter3@') });
    await vi.waitFor(() => expect(wrong.lines).toHaveLength(1), WAIT_MS);
    expect(wrong.lines[0]?.fields).toEqual({ reason: 'WRONGPASS' });
    expect(JSON.stringify([right.lines, wrong.lines])).not.toMatch(/hunter/);
  });

  it('finishes running commands when it is closed, and leaves no connection', async () => {
    const server = await startServer();
    const { connection } = connect({ url: server.url });
    await up(connection);
    server.pause();
    const reply = connection.command(['GET', 'a']);
    await connection.close();
    expect(await reply).toBeUndefined();
    server.resume();
    await expectConnections(server, 0);
    expect(connection.isConnected()).toBe(false);
  });
});

it('a connection that is closed while its socket opens leaves no socket open', async () => {
  const open = new Set<Socket>();
  let accepted = 0;
  const server = createServer((socket) => {
    accepted += 1;
    open.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => open.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const { connection } = connect({ url: `redis://127.0.0.1:${port}`, connectTimeoutMs: NEVER_MS });
  await connection.close();
  await vi.waitFor(() => expect([accepted, open.size]).toEqual([1, 0]), WAIT_MS);
  server.close();
});
