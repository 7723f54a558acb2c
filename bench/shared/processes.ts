/** Starts and stops the processes of a benchmark: servers that print their address, and helpers that exchange messages. */
import { type ChildProcess, type ForkOptions, fork, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';

export interface RunningServer {
  url: string;
  pid: number;
  /** Sends a message and waits for the reply. Needs `hasChannel`. */
  request(message: string): Promise<unknown>;
  stop(): void;
}

interface ServerOptions {
  /** Arguments of Node itself. */
  nodeArguments?: readonly string[];
  /** Default false. */
  hasChannel?: boolean;
}

/** The built product, relative to `dist/bench/shared`. */
export const MAIN_FILE = fileURLToPath(new URL('../../main.js', import.meta.url));

/** Starts the built sandbox on a free port. */
export function startSandbox(environment: Readonly<Record<string, string>>): Promise<RunningServer> {
  return startServer([MAIN_FILE, 'sandbox'], { SANDBOX_PORT: '0', ...environment });
}

/** Starts the built gateway on a free port, with the sandbox's credential. */
export function startGateway(
  platformUrl: string,
  environment: Readonly<Record<string, string>> = {},
  options: ServerOptions = {},
): Promise<RunningServer> {
  const platform = { PLATFORM_URL: platformUrl, PLATFORM_KEY: 'sandbox', PLATFORM_SECRET: 'sandbox' };
  return startServer([MAIN_FILE], { PORT: '0', ...platform, ...environment }, options);
}

/** Resolves when the server prints its address. Rejects when the process exits before. */
export async function startServer(
  fileAndArguments: readonly string[],
  environment: Readonly<Record<string, string>>,
  { nodeArguments = [], hasChannel = false }: ServerOptions = {},
): Promise<RunningServer> {
  const child = spawn(process.execPath, [...nodeArguments, ...fileAndArguments], {
    env: { PATH: process.env['PATH'], LOG_LEVEL: 'error', ...environment },
    stdio: ['ignore', 'pipe', 'inherit', ...(hasChannel ? ['ipc' as const] : [])],
  });
  return {
    url: await printedAddress(child),
    pid: child.pid ?? 0,
    request: (message) => requestReply(child, message),
    stop: () => child.kill('SIGTERM'),
  };
}

function printedAddress(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      const address = /http:\/\/127\.0\.0\.1:\d+/.exec(output)?.[0];
      if (address !== undefined) resolve(address);
    });
    child.once('exit', (code) => reject(new Error(`The server exited with ${code} before it listened.`)));
  });
}

export interface Helper<Order, Report> {
  pid: number;
  /** Sends an order without waiting for a report. */
  send(order: Order): void;
  /** Sends an order and waits for its report. Rejects when the process exits before. */
  request(order: Order): Promise<Report>;
  stop(): void;
}

/** The program of a fork and its first arguments. */
type ForkProgram = Pick<ForkOptions, 'execPath' | 'execArgv'>;

/** Forks a helper of the benchmark. */
export function forkHelper<Order extends object | string, Report>(
  file: URL,
  args: readonly string[] = [],
  program: ForkProgram = { execArgv: [] },
): Helper<Order, Report> & { nextReport(): Promise<Report> } {
  const child = fork(file, args, { serialization: 'json', ...program });
  return {
    pid: child.pid ?? 0,
    send: (order) => void child.send(order),
    request: (order) => requestReply<Report>(child, order),
    nextReport: () => nextMessage<Report>(child),
    stop: () => void child.kill(),
  };
}

/** Runs Node so that each other process preempts it at once. A process of low priority keeps the CPU for milliseconds. */
const idleNode: ForkProgram = { execPath: 'chrt', execArgv: ['--idle', '0', process.execPath] };

/**
 * Forks a helper that stands for clients on other machines: it gets only the CPU time that other processes of this machine
 * leave. Without `chrt` of util-linux, it has the lowest priority.
 */
export function forkRemoteHelper<Order extends object | string, Report>(file: URL): Helper<Order, Report> {
  const hasChrt = spawnSync('chrt', ['--version']).status === 0;
  const helper = forkHelper<Order, Report>(file, [], hasChrt ? idleNode : undefined);
  setPriority(helper.pid, constants.priority.PRIORITY_LOW);
  return helper;
}

/** Forks a helper and waits for its first report. */
export async function startHelper<Order extends object | string, Report>(
  file: URL,
  args: readonly string[] = [],
): Promise<{ helper: Helper<Order, Report>; first: Report }> {
  const helper = forkHelper<Order, Report>(file, args);
  return { helper, first: await helper.nextReport() };
}

function requestReply<Reply>(child: ChildProcess, message: object | string): Promise<Reply> {
  const reply = nextMessage<Reply>(child);
  child.send(message);
  return reply;
}

async function nextMessage<Message>(child: ChildProcess): Promise<Message> {
  const watch = new AbortController();
  const exited = once(child, 'exit', { signal: watch.signal }).then(([code]) => {
    throw new Error(`A process of the benchmark exited with ${code}.`);
  });
  exited.catch(() => undefined);
  try {
    const [message] = await Promise.race([once(child, 'message', { signal: watch.signal }), exited]);
    return message as Message;
  } finally {
    watch.abort();
  }
}
