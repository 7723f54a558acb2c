/**
 * The commands of the command line. Each either starts an app or prints text. A command loads its modules when it
 * runs, so that the other commands and the primary process of workers do not load them.
 */
import type { App, SandboxAloneConfig } from '../app.js';
import { type Config, readConfig, readSandboxConfig, readSetting } from '../config/config.js';
import { reportSettings } from '../config/gatewaySettings.js';
import { sandboxSettings, settingGroups } from '../config/settings.js';
import { readVersion } from '../gateway/version.js';
import { systemClock } from '../lib/clock.js';
import { apiKeyCommand, apiKeyUsage } from './apiKeyCommand.js';

/** A started app, and what it prints to a terminal or, without a terminal, as a log line. */
interface Running {
  kind: 'running';
  app: App;
  /** Not called for an app that is stopped while it starts: it may have no address. */
  banner(): string;
  /** One JSON line in the form of the log. */
  listening: string;
}

type CommandResult =
  | Running
  /** `exitCode`: 0 if absent. */
  | { kind: 'done'; text: string; exitCode?: number }
  /** `exitCode`: 1 if absent. */
  | { kind: 'failed'; text: string; exitCode?: number };

interface Command {
  name: string;
  summary: string;
  help(): string | Promise<string>;
  /** `stopping`: aborted when the command is to end. */
  run(args: readonly string[], stopping?: AbortSignal): Promise<CommandResult>;
}

const startCommand: Command = {
  name: 'start',
  summary: 'Starts the gateway. Without PLATFORM_URL it also starts the sandbox. This is the default.',
  help: () =>
    ['Usage: fieldgraph start', '', startCommand.summary, '', ...settingsHelp(settingGroups)].join('\n'),
  run: (args, stopping) => startWithout(args, startCommand, () => runGateway(readConfig(), stopping)),
};

const sandboxCommand: Command = {
  name: 'sandbox',
  summary: 'Starts the sandbox alone.',
  help() {
    const { LOG_LEVEL } = reportSettings;
    const groups = [{ title: 'Sandbox', settings: { ...sandboxSettings, LOG_LEVEL } }];
    return ['Usage: fieldgraph sandbox', '', sandboxCommand.summary, '', ...settingsHelp(groups)].join('\n');
  },
  run: (args) => startWithout(args, sandboxCommand, () => runSandbox(readSandboxConfig())),
};

const keyCommand: Command = {
  name: 'api-key',
  summary: 'Creates a key for CALLER_AUTH=api-key.',
  help: () => apiKeyUsage,
  run: (args) =>
    orFailure(async () => apiKeyCommand(args, { file: readSetting('API_KEYS_FILE'), clock: systemClock })),
};

const doctor: Command = {
  name: 'doctor',
  summary: 'Checks the setup, and says how to fix each problem.',
  help: async () => (await import('./doctor/doctorCommand.js')).doctorUsage,
  async run(args) {
    const { doctorCommand } = await import('./doctor/doctorCommand.js');
    return doctorCommand(args, { environment: process.env, clock: systemClock });
  },
};

const schemaCommand: Command = {
  name: 'schema',
  summary:
    'Prints the schema as SDL, for tools that generate code. GET /schema.graphql serves the same text.',
  help: () => schemaUsage,
  async run(args) {
    const [option, ...others] = args;
    if (others.length > 0 || (option !== undefined && option !== '--subgraph'))
      return unknown(['schema', ...args]);
    const { readSchemaText, readSubgraphText } = await import('../graphql/schema.js');
    return orFailure(async () => {
      const text =
        option === undefined
          ? readSchemaText({ isSubgraph: readSetting('FEDERATION') === 'on' })
          : readSubgraphText();
      return { kind: 'done', text: text.trimEnd() };
    });
  },
};

const schemaUsage = `Usage: fieldgraph schema [--subgraph]

${schemaCommand.summary}

Options:
  --subgraph  Prints the schema for composing a supergraph, with the directives of Federation.
  -h, --help  Prints this text.`;

const commands = [startCommand, sandboxCommand, keyCommand, doctor, schemaCommand];

export async function runCommand(
  [name = 'start', ...args]: readonly string[],
  stopping?: AbortSignal,
): Promise<CommandResult> {
  if (isHelp(name)) return { kind: 'done', text: helpText() };
  if (name === '--version' || name === '-v') return { kind: 'done', text: readVersion() };
  const command = commands.find((candidate) => candidate.name === name);
  if (command === undefined) return unknown([name, ...args]);
  return args.some(isHelp) ? { kind: 'done', text: await command.help() } : command.run(args, stopping);
}

function isHelp(argument: string): boolean {
  return argument === '--help' || argument === '-h';
}

async function runGateway(config: Config, stopping: AbortSignal | undefined): Promise<Running> {
  const { startApp } = await import('../app.js');
  const app = await startApp(config, stopping);
  const { platform, sandbox, callerAuth } = config;
  const { key } = platform.kind === 'remote' ? platform : sandbox;
  const isSandbox = platform.kind === 'sandbox';
  const banner = () =>
    gatewayBanner({
      url: app.url,
      platform: { url: app.platformUrl, key },
      isSandbox,
      isOpen: callerAuth.kind === 'open',
    });
  const facts = { url: app.url, platform: app.platformUrl, sandbox: isSandbox };
  return { kind: 'running', app, banner, listening: toLogLine(facts, 'Listening') };
}

async function runSandbox(config: SandboxAloneConfig): Promise<Running> {
  const { startSandboxAlone } = await import('../app.js');
  const app = await startSandboxAlone(config);
  const banner = () => sandboxBanner(app.url, config.sandbox);
  return { kind: 'running', app, banner, listening: toLogLine({ url: app.url }, 'Sandbox listening') };
}

/** Scripts read the address from this line, so that it does not depend on LOG_LEVEL. */
function toLogLine(fields: Readonly<Record<string, string | boolean>>, message: string): string {
  const time = new Date(systemClock.now()).toISOString();
  return JSON.stringify({ level: 'info', time, version: readVersion(), ...fields, msg: message });
}

async function startWithout(
  args: readonly string[],
  { name }: Command,
  start: () => Promise<Running>,
): Promise<CommandResult> {
  return args.length > 0 ? unknown([name, ...args]) : orFailure(start);
}

async function orFailure(run: () => Promise<CommandResult>): Promise<CommandResult> {
  try {
    return await run();
  } catch (error) {
    const { describeStartupError } = await import('../lib/startupErrors.js');
    return { kind: 'failed', text: describeStartupError(error) };
  }
}

function unknown(words: readonly string[]): CommandResult {
  const option = words.find((word) => word.startsWith('-'));
  const text =
    option === undefined
      ? `Unknown command: ${words.join(' ')}. See --help.`
      : `Unknown option: ${option}. Settings are environment variables, such as PORT=5000. See --help.`;
  return { kind: 'failed', text };
}

function helpText(): string {
  const width = Math.max(...commands.map(({ name }) => name.length));
  return [
    'Usage: fieldgraph [COMMAND] [--help]',
    '',
    'Commands:',
    ...commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`),
    '',
    'Options:',
    '  -h, --help     Prints this text, or the help of a command.',
    '  -v, --version  Prints the version.',
    '',
    ...settingsHelp(settingGroups),
  ].join('\n');
}

const MAX_HELP_COLUMNS = 110;

/** Lines that describe groups of settings. */
function settingsHelp(groups: typeof settingGroups): string[] {
  const names = groups.flatMap(({ settings }) => Object.keys(settings));
  const width = Math.max(...names.map((name) => name.length));
  const indent = ' '.repeat(width + 6);
  const lines = groups.flatMap(({ title, settings }) => [
    `  ${title}`,
    ...Object.entries(settings).flatMap(([name, { description, defaultText }]) => {
      const suffix = defaultText === '' ? '' : ` Default: ${defaultText}.`;
      const [first, ...others] = wrapText(description + suffix, MAX_HELP_COLUMNS - indent.length);
      return [`    ${name.padEnd(width)}  ${first}`, ...others.map((line) => indent + line)];
    }),
  ]);
  return ['Environment:', ...lines];
}

/** Lines of at most `columns` characters, except for longer words. */
function wrapText(text: string, columns: number): string[] {
  const [first = '', ...words] = text.split(' ');
  const lines: string[] = [];
  let line = first;
  for (const word of words) {
    if (line.length + 1 + word.length <= columns) line += ` ${word}`;
    else {
      lines.push(line);
      line = word;
    }
  }
  return [...lines, line];
}

const query = '{ sites(first: 3) { totalCount nodes { name devices { serialNumber channels { name } } } } }';

interface GatewayBanner {
  url: string;
  platform: { url: string; key: string };
  isSandbox: boolean;
  isOpen: boolean;
}

/** The startup banner: the addresses, and a query to try. */
export function gatewayBanner({ url, platform, isSandbox, isOpen }: GatewayBanner): string {
  const upstream = isSandbox
    ? `Sandbox    ${platform.url}   (key ${platform.key}; generated data, new samples every few seconds)`
    : `Platform   ${platform.url}`;
  const credential = isOpen ? '' : ` -H 'authorization: …'`;
  const { address, note } = toReachable(url);
  return `
Fieldgraph is ready.

  Explorer   ${address}/
  GraphQL    ${address}/graphql
  ${upstream}${note}

Paste this into the explorer:

  ${query}

or into a shell:

  curl ${address}/graphql -H 'content-type: application/json'${credential} -d '${JSON.stringify({ query })}'

Ctrl-C stops it.`;
}

function sandboxBanner(url: string, { key, secret }: { key: string; secret: string }): string {
  return `
The sandbox is ready.

  REST API   ${url}/v2.0
  OpenAPI    ${url}/openapi.json

A token, to be sent as \`Authorization: Bearer …\`:

  curl -u '${key}:${secret}' ${url}/auth/token -d grant_type=client_credentials

Ctrl-C stops it.`;
}

/** Browsers can't open the addresses that stand for all interfaces, so the banner shows the loopback address instead. */
const loopbackOf: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '[::]': '[::1]' };

function toReachable(url: string): { address: string; note: string } {
  const { hostname } = new URL(url);
  const loopback = loopbackOf[hostname];
  if (loopback === undefined) return { address: url, note: '' };
  // Does not use `URL.port`, which is empty for the default port of the protocol.
  const port = url.slice(url.lastIndexOf(':') + 1);
  const note = `\n\nIt listens on all interfaces (${hostname}, port ${port}): other machines reach it by this machine's name or address.`;
  return { address: url.replace(hostname, loopback), note };
}
