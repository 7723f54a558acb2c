#!/usr/bin/env node
/** The command line: arguments and environment in, a running gateway or sandbox out, an orderly end on signals. */
import { apiKeyCommand } from './apiKeyCommand.js';
import { type App, startApp, startSandboxAlone } from './app.js';
import { type Environment, readConfig } from './config.js';
import { keepHeapSmall } from './heapGrowth.js';
import { helpText } from './help.js';
import { describeStartFailure } from './startFailure.js';

const commands = { gateway: startApp, sandbox: startSandboxAlone } as const;

async function main([name = 'gateway', ...rest]: readonly string[], environment: Environment): Promise<void> {
  if (name === '--help' || name === '-h') return print(helpText());
  if (name === 'api-key') return runApiKeyCommand(rest, environment);
  const command =
    Object.hasOwn(commands, name) && rest.length === 0 ? commands[name as keyof typeof commands] : undefined;
  if (command === undefined) return fail(`Unknown command: ${[name, ...rest].join(' ')}. See --help.`);
  try {
    const config = readConfig(environment);
    const setApp = stopOnSignals();
    const app = await command(config);
    print(app.greeting);
    setApp(app);
  } catch (error) {
    fail(describeStartFailure(error));
  }
}

async function runApiKeyCommand(args: readonly string[], environment: Environment): Promise<void> {
  const { isDone, text } = await apiKeyCommand(args, environment['API_KEYS_FILE']);
  return isDone ? print(text) : fail(text);
}

/**
 * While the app starts, a signal ends the process at once: nothing is served yet, and a database that is being seeded
 * stays as it was. Later the first signal stops in order, the second at once.
 * @returns how to name the app that has started.
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

keepHeapSmall();
await main(process.argv.slice(2), process.env);
