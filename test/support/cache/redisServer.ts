/** Starts a separate Redis server for a test, which can be stopped, killed, filled and slowed down. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '../freePort.js';

export interface RedisServer {
  /** Such as `redis://127.0.0.1:40123`. */
  url: string;
  port: number;
  /** Sends one command as a line and returns the first reply, undecoded. */
  ask(line: string): Promise<string>;
  /** Connections stay open and new ones are accepted, but nothing replies. */
  pause(): void;
  resume(): void;
  /** Like a crash: all data is lost. */
  kill(): Promise<void>;
  /** On the same port; a running server is killed first. */
  restart(): Promise<void>;
  /** Refuses writes beyond this number of bytes; 0 removes the bound. */
  limitMemory(bytes: number): Promise<void>;
  stop(): Promise<void>;
}

interface RedisProxy {
  url: string;
  /** Cuts all connections, and new ones as soon as they open. */
  cut(): void;
  mend(): void;
  stop(): Promise<void>;
}

/** Whether `redis-server` is on the PATH. */
export const isRedisAvailable = spawnSync('redis-server', ['--version']).status === 0;

export async function startRedisServer(): Promise<RedisServer> {
  const directory = await mkdtemp(join(tmpdir(), 'redis-'));
  let port = await findFreePort();
  let launched = await launch(port, directory);
  for (let attempts = 1; launched === undefined && attempts < MAX_ATTEMPTS; attempts++) {
    port = await findFreePort();
    launched = await launch(port, directory);
  }
  let server = startedServer(launched);

  const ask = (line: string) => askOnce(port, line);
  const kill = async () => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    server.kill('SIGKILL');
    await once(server, 'exit');
  };
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    ask,
    pause: () => void server.kill('SIGSTOP'),
    resume: () => void server.kill('SIGCONT'),
    kill,
    async restart() {
      await kill();
      server = startedServer(await launch(port, directory));
    },
    async limitMemory(bytes) {
      await ask('CONFIG SET maxmemory-policy noeviction');
      await ask(`CONFIG SET maxmemory ${bytes}`);
    },
    async stop() {
      await kill();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** A proxy to the server that can be cut, and that delays every reply by this time. */
export async function startRedisProxy(port: number, delayMs = 0): Promise<RedisProxy> {
  let isCut = false;
  const sockets = new Set<Socket>();
  const proxy = createServer((near) => {
    if (isCut) {
      near.destroy();
      return;
    }
    const far = connect(port, '127.0.0.1');
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => sockets.delete(socket));
    }
    near.on('data', (data) => far.write(data));
    far.on('data', (data) => setTimeout(() => near.write(data), delayMs));
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
  });
  const listeningOn = await listen(proxy);
  return {
    url: `redis://127.0.0.1:${listeningOn}`,
    cut() {
      isCut = true;
      for (const socket of sockets) socket.destroy();
    },
    mend() {
      isCut = false;
    },
    async stop() {
      for (const socket of sockets) socket.destroy();
      proxy.close();
      await once(proxy, 'close');
    },
  };
}

async function listen(server: ReturnType<typeof createServer>): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** Another process may take the free port first. */
const MAX_ATTEMPTS = 5;

/**
 * Undefined if the server exits, for example because the port is in use. Reads from its log when it listens: a reply on
 * the port could come from another server.
 */
async function launch(port: number, directory: string): Promise<ChildProcess | undefined> {
  const options = ['--port', String(port), '--bind', '127.0.0.1', '--dir', directory, '--logfile', ''];
  const server = spawn('redis-server', [...options, '--save', '', '--appendonly', 'no'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const isListening = await new Promise<boolean>((resolve) => {
    let log = '';
    server.stdout.setEncoding('utf8').on('data', (text: string) => {
      log += text;
      if (log.includes('Ready to accept connections')) resolve(true);
    });
    server.once('exit', () => resolve(false));
  });
  // The pipe must not fill up.
  server.stdout.removeAllListeners('data').resume();
  return isListening ? server : undefined;
}

function startedServer(server: ChildProcess | undefined): ChildProcess {
  if (server === undefined) throw new Error('redis-server exited at its start.');
  return server;
}

async function askOnce(port: number, line: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.setEncoding('utf8').write(`${line}\r\n`);
  try {
    const [reply] = await once(socket, 'data');
    return String(reply);
  } finally {
    socket.destroy();
  }
}
