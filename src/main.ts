#!/usr/bin/env node
/** The process entry: runs the command of the arguments, and stops what it started on signals. */
import type { App } from './app.js';
import { runCommand } from './cli/commands.js';
import { keepHeapSmall } from './heapGrowth.js';

async function main(args: readonly string[]): Promise<void> {
  const result = await runCommand(args);
  if (result.kind === 'failed') return fail(result.text);
  if (result.kind === 'done') return print(result.text);
  print(result.app.banner);
  stopOnSignals(result.app);
}

/** The first signal stops in order, the second at once. */
function stopOnSignals(app: App): void {
  let isStopping = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (isStopping) process.exit(1);
      isStopping = true;
      app.stop().then(() => process.exit(0), fail);
    });
  }
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

function fail(reason: unknown): void {
  process.stderr.write(`${reason}\n`);
  process.exit(1);
}

keepHeapSmall();
await main(process.argv.slice(2));
