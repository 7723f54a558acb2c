/** Runs the built command line, and records its output. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterEach } from 'vitest';
import { childEnvironment } from '../support/clocks/childEnvironment.js';

const main = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const running = new Set<ChildProcess>();

afterEach(async () => {
  await Promise.all([...running].map((child) => (child.kill('SIGKILL') ? once(child, 'close') : undefined)));
});

export interface StartedProcess {
  readonly pid: number;
  /** All output so far. */
  readonly stdout: string;
  readonly stderr: string;
  /** Resolves with the exit code, or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals | null>;
  kill(signal: NodeJS.Signals): void;
  /** Resolves when it has printed its startup banner; rejects when it ends before. */
  greeting(): Promise<string>;
}

/** Free ports, few sites and no progress lines by default; of the environment only PATH and the clock are passed on. */
export function start(
  args: readonly string[] = [],
  environment: Record<string, string> = {},
): StartedProcess {
  const child = spawn(process.execPath, [main, ...args], {
    env: {
      ...childEnvironment(),
      PORT: '0',
      SANDBOX_PORT: '0',
      SANDBOX_SITES: '3',
      LOG_LEVEL: 'warn',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  const printed = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      printed[name] += text;
    });
  }
  const ended = new Promise<number | NodeJS.Signals | null>((resolve) => {
    child.once('close', (code, signal) => {
      running.delete(child);
      resolve(code ?? signal);
    });
  });
  return {
    pid: child.pid ?? 0,
    get stdout() {
      return printed.stdout;
    },
    get stderr() {
      return printed.stderr;
    },
    ended,
    kill: (signal) => void child.kill(signal),
    greeting: () => waitForGreeting(child, () => printed, ended),
  };
}

async function waitForGreeting(
  child: ChildProcess,
  printed: () => { stdout: string; stderr: string },
  ended: Promise<unknown>,
): Promise<string> {
  while (!printed().stdout.includes('Ctrl-C')) {
    const code = await Promise.race([once(child.stdout ?? child, 'data').then(() => undefined), ended]);
    if (code !== undefined) throw new Error(`It ended with ${code}: ${printed().stderr}`);
  }
  return printed().stdout;
}

/** The first match of a pattern in a text: the whole match, or its group. */
export function find(text: string, pattern: RegExp): string {
  const match = pattern.exec(text);
  if (!match) throw new Error(`${pattern} is not in: ${text}`);
  return match[1] ?? match[0];
}

/** The gateway's address, from its startup banner. */
export const urlIn = (greeting: string): string => find(greeting, /Explorer\s+(http:\S+)\//);
