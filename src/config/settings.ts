/**
 * The table of all settings. Parsing, defaults, `--help` and the table in `docs/configuration.md` derive from it;
 * `npm run docs:settings` writes the latter.
 */
import { callerSettings } from './callerSettings.js';
import { listenSettings, platformSettings, reportSettings } from './gatewaySettings.js';
import { limitSettings } from './limitSettings.js';
import {
  integer,
  optional,
  type Setting,
  SettingError,
  type SettingTable,
  text,
  type ValuesOf,
} from './setting.js';
import { tracingSettings } from './tracingSettings.js';

/** The port of `fieldgraph sandbox` if SANDBOX_PORT is not set. */
export const SANDBOX_PORT = 4010;

/** Settings of the sandbox, embedded or standalone. */
export const sandboxSettings = {
  SANDBOX_PORT: integer(
    {
      default: undefined,
      defaultText: `${SANDBOX_PORT} for \`fieldgraph sandbox\`, a free port inside a gateway`,
      min: 0,
      max: 65_535,
    },
    'Port of the sandbox. 0 selects a free port.',
  ),
  SANDBOX_DB: optional(
    'File that stores the sandbox data between starts. SANDBOX_SITES and SANDBOX_DAYS do not apply to an existing file.',
    { defaultText: 'in memory' },
  ),
  SANDBOX_SITES: integer(
    { default: 40, min: 1, max: 2000 },
    'Number of sites in the sandbox at its first start.',
  ),
  SANDBOX_DAYS: integer(
    { default: 14, min: 1, max: 365 },
    'Number of days for which the sandbox has samples at its first start. Samples older than 14 days are generated when they are first read.',
  ),
  SANDBOX_KEY: { ...text('sandbox', "Key of the sandbox's API client."), parse: parseSandboxKey },
  SANDBOX_SECRET: text('sandbox', "Secret of the sandbox's API client."),
};

/** The Key and Secret of the sandbox's second account. */
const SECOND_ACCOUNT_KEY = 'neighbour';

function parseSandboxKey(value: string): string {
  // HTTP Basic authentication ends the key at the first colon (RFC 7617).
  if (value.includes(':'))
    throw new SettingError('must not contain a colon: the rest would be read as part of the secret.');
  if (value === SECOND_ACCOUNT_KEY)
    throw new SettingError(`must not be ${value}: that is the key of the sandbox's second account.`);
  return value;
}

/** In the order of `--help` and of the documentation. */
export const settingGroups: readonly { title: string; settings: Record<string, Setting<unknown>> }[] = [
  { title: 'Address and processes', settings: listenSettings },
  { title: 'Platform', settings: platformSettings },
  { title: 'Callers', settings: callerSettings },
  { title: 'Limits', settings: limitSettings },
  { title: 'Log and metrics', settings: reportSettings },
  { title: 'Tracing', settings: tracingSettings },
  { title: 'Sandbox', settings: sandboxSettings },
];

export const settings = {
  ...listenSettings,
  ...platformSettings,
  ...callerSettings,
  ...limitSettings,
  ...reportSettings,
  ...tracingSettings,
  ...sandboxSettings,
};

export type Environment = Readonly<Record<string, string | undefined>>;

export type SettingValues = ValuesOf<typeof settings>;

export interface ParsedSettings<Values = SettingValues> {
  values: Values;
  /** One line per invalid value. The default applies instead. */
  problems: string[];
  /** Whether the variable is set, valid or not. */
  isSet(name: keyof Values): boolean;
}

export function readSettings<Table extends SettingTable>(
  table: Table,
  environment: Environment,
): ParsedSettings<ValuesOf<Table>> {
  const problems: string[] = [];
  // Compose files and shells unset a variable by setting it to an empty string.
  const textOf = (name: string) => environment[name]?.trim() || undefined;
  const read = ([name, setting]: [string, Setting<unknown>]): [string, unknown] => {
    const text = textOf(name);
    if (text === undefined) return [name, setting.defaultValue];
    try {
      return [name, setting.parse(text)];
    } catch (error) {
      if (!(error instanceof SettingError)) throw error;
      problems.push(`${name}: ${error.message}`);
      return [name, setting.defaultValue];
    }
  };
  const values = Object.fromEntries(Object.entries(table).map(read)) as ValuesOf<Table>;
  return { values, problems, isSet: (name) => textOf(String(name)) !== undefined };
}
