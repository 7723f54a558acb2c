#!/usr/bin/env node
/** The process entry: runs the command in the arguments, and stops the started app on signals. */
import type { App } from './app.js';
import { limitHeapGrowth } from './gateway/heapLimit.js';

async function main(args: readonly string[]): Promise<void> {
  const setApp = stopOnSignals();
  const { runCommand } = await import('./cli/commands.js');
  const result = await runCommand(args);
  if (result.kind === 'failed') return fail(result.text);
  if (result.kind === 'done') {
    process.exitCode = result.exitCode ?? 0;
    return print(result.text);
  }
  print(process.stdout.isTTY ? result.banner : result.listening);
  setApp(result.app);
}

/**
 * While the app starts, a signal ends the process at once: it serves no requests yet, and a partly seeded database is not
 * saved. Afterwards the first signal drains the app, and the second ends the process.
 * @returns a function that accepts the started app.
 */
function stopOnSignals(): (app: App) => void {
  let app: App | undefined;
  let isStopping = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (app === undefined) process.exit(0);
      if (isStopping) process.exit(1);
      isStopping = true;
      app.stop().then(() => process.exit(0), fail);
    });
  }
  return (started) => {
    app = started;
  };
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

function fail(reason: unknown): void {
  process.stderr.write(`${reason}\n`);
  process.exit(1);
}

// Before graphql is loaded: its checks for development cost a tenth of the CPU of an operation with a new text. Workers
// inherit this.
process.env['NODE_ENV'] ??= 'production';
limitHeapGrowth();
await main(process.argv.slice(2));
