/** Starts the built product, or another server, as a process of its own, as its users do. */
import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export interface RunningProduct {
  url: string;
  pid: number;
  stop(): void;
}

/** From `dist/bench`, where this file runs. */
const mainFile = fileURLToPath(new URL('../main.js', import.meta.url));

/** As `startProgram`, with a command of the product. */
export function startProduct(
  command: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<RunningProduct> {
  return startProgram([mainFile, ...command], environment);
}

/** Resolves when it has printed where it listens; rejects when it ends before. */
export async function startProgram(
  fileAndArguments: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<RunningProduct> {
  const child = spawn(process.execPath, [...fileAndArguments], {
    env: { PATH: process.env['PATH'], LOG_LEVEL: 'error', ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return { url: await firstAddress(child), pid: child.pid ?? 0, stop: () => child.kill('SIGTERM') };
}

function firstAddress(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let printed = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      printed += chunk.toString();
      const address = /http:\/\/127\.0\.0\.1:\d+/.exec(printed)?.[0];
      if (address !== undefined) resolve(address);
    });
    child.once('exit', (code) => reject(new Error(`It ended with ${code} before it listened.`)));
  });
}
