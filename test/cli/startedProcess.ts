/** Runs the built command line, and records its output. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { cleanUpAfterTest } from '../support/cleanUp.js';
import { childEnvironment } from '../support/clocks/childEnvironment.js';

const main = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const running = new Set<ChildProcess>();
/** Runs a command on a terminal of its own (util-linux). What the terminal shows is its standard output. */
const TERMINAL = ['script', '--quiet', '--flush', '--return', '--command'];

cleanUpAfterTest(async () => {
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
  /** Closes the reader of its standard output. */
  closeStdout(): void;
  /** Resolves with the output once the process listens; rejects if it exits first. */
  startupOutput(): Promise<string>;
}

interface StartOptions {
  isOnTerminal?: boolean;
  /** Arguments of Node.js that name a program. Default: the built command line. */
  program?: readonly string[];
  /** A file descriptor for its standard error. Default: it is recorded. */
  stderr?: 'pipe' | number;
}

/** Free ports, few sites and no progress lines by default; of the environment only PATH and the clock are passed on. */
export function start(
  args: readonly string[] = [],
  environment: Record<string, string> = {},
  { isOnTerminal = false, program = [main], stderr = 'pipe' }: StartOptions = {},
): StartedProcess {
  const words = [process.execPath, ...program, ...args];
  const [file = '', ...rest] = isOnTerminal ? [...TERMINAL, words.join(' '), '/dev/null'] : words;
  const child = spawn(file, rest, {
    env: {
      ...childEnvironment(),
      PORT: '0',
      SANDBOX_PORT: '0',
      SANDBOX_SITES: '3',
      LOG_LEVEL: 'warn',
      ...environment,
    },
    stdio: ['ignore', 'pipe', stderr],
  });
  running.add(child);
  const printed = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      printed[name] += isOnTerminal ? text.replaceAll('\r\n', '\n') : text;
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
    closeStdout: () => void child.stdout?.destroy(),
    startupOutput: () => waitForStartupOutput(child, () => printed, ended),
  };
}

async function waitForStartupOutput(
  child: ChildProcess,
  printed: () => { stdout: string; stderr: string },
  ended: Promise<unknown>,
): Promise<string> {
  while (!/Ctrl-C|listening"/i.test(printed().stdout)) {
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

/** The gateway's address, from its line or its startup banner. */
export const urlIn = (startupOutput: string): string =>
  find(startupOutput, startupOutput.includes('Ctrl-C') ? /Explorer\s+(http:\S+)\// : /"url":"(http:[^"]+)"/);

/** The address of its sandbox, from its line. */
export const sandboxIn = (startupOutput: string): string => find(startupOutput, /"platform":"(http:[^"]+)"/);
