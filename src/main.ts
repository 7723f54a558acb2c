#!/usr/bin/env node
/** The process entry: runs the command in the arguments, and stops the started app on signals. */
import cluster from 'node:cluster';
import { constants } from 'node:os';
import type { App } from './app.js';
import { checkNode, describeOldNode } from './cli/doctor/nodeCheck.js';
import { setHeapFlags } from './gateway/heapFlags.js';

/** The commands that start an app. The others end with a result. */
const appCommands = ['start', 'sandbox'];
/** The exit code of a process that a signal ended is this and the number of the signal, as in shells. */
const SIGNAL_EXIT_CODE = 128;

async function main(args: readonly string[]): Promise<void> {
  const node = checkNode(process.versions.node);
  if (node.status !== 'ok') return failOnOldNode(describeOldNode(node, args), args[0] === 'doctor');
  const { setApp, stopping } = stopOnSignals(appCommands.includes(args[0] ?? 'start'));
  const { runCommand } = await import('./cli/commands.js');
  const result = await runCommand(args, stopping);
  if (result.kind === 'failed') return fail(result.text, result.exitCode);
  if (result.kind === 'done') {
    process.exitCode = result.exitCode ?? 0;
    return print(result.text, fail);
  }
  // The app serves even if nobody reads this line.
  if (!stopping.aborted) print(process.stdout.isTTY ? result.banner() : result.listening, () => {});
  setApp(result.app);
}

/**
 * While the app starts, a signal ends the process at once: it serves no requests yet, and a partly seeded database is not
 * saved. Afterwards the first signal drains the app, and the second ends the process. A command without an app
 * then has no result, so its exit code must not be 0.
 * @returns a function that accepts the started app, and a signal that is aborted when the app is to be stopped.
 */
function stopOnSignals(startsApp: boolean): { setApp(app: App): void; stopping: AbortSignal } {
  let setApp = (_: App) => {};
  const started = new Promise<App>((resolve) => {
    setApp = resolve;
  });
  let isServing = false;
  const stopping = new AbortController();
  // The first of several workers serves requests before the last one has started.
  cluster.once('listening', () => {
    isServing = true;
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (!isServing) {
        killWorkers();
        process.exit(startsApp ? 0 : SIGNAL_EXIT_CODE + constants.signals[signal]);
      }
      if (stopping.signal.aborted) process.exit(1);
      stopping.abort();
      started.then((app) => app.stop(signal)).then(() => process.exit(0), fail);
    });
  }
  return {
    setApp(app) {
      isServing = true;
      setApp(app);
    },
    stopping: stopping.signal,
  };
}

/** A worker that loses its primary while Node starts it would print a stack trace. */
function killWorkers(): void {
  for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill('SIGKILL');
}

/** A reader such as `head` may close the pipe early, which is not a failure. */
function print(text: string, onFailure: (error: Error) => void): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') onFailure(error);
  });
  process.stdout.write(`${text}\n`);
}

/** A report is a result, so that programs can read it. */
function failOnOldNode(text: string, isReport: boolean): void {
  process.exitCode = 1;
  if (isReport) print(text, fail);
  else fail(text);
}

function fail(reason: unknown, exitCode = 1): void {
  process.stderr.write(`${reason}\n`);
  process.exit(exitCode);
}

// Before graphql is loaded: its development checks cost a tenth of the CPU time of an operation with a new
// document. Workers inherit this.
process.env['NODE_ENV'] ??= 'production';
setHeapFlags();
await main(process.argv.slice(2));
