/** Derives the text of `--help` and the tables of `docs/configuration.md` from the table of settings. */
import type { Setting } from '../config/setting.js';
import { settingGroups } from '../config/settings.js';

export interface HelpGroup {
  title: string;
  settings: Readonly<Record<string, Setting<unknown>>>;
}

/** One command, as the list of commands shows it. */
export interface CommandSummary {
  name: string;
  summary: string;
}

export function helpText(commands: readonly CommandSummary[]): string {
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

/** Lines that describe groups of settings. */
export function settingsHelp(groups: readonly HelpGroup[]): string[] {
  const names = groups.flatMap(({ settings }) => Object.keys(settings));
  const width = Math.max(...names.map((name) => name.length));
  const lines = groups.flatMap(({ title, settings }) => [
    `  ${title}`,
    ...Object.entries(settings).map(([name, { description, defaultText }]) => {
      const suffix = defaultText === '' ? '' : ` Default: ${defaultText}.`;
      return `    ${name.padEnd(width)}  ${description}${suffix}`;
    }),
  ]);
  return ['Environment:', ...lines];
}

/** The same table in Markdown. */
export function settingsMarkdown(): string {
  return settingGroups.map(toMarkdown).join('\n');
}

function toMarkdown({ title, settings }: HelpGroup): string {
  const rows = Object.entries(settings).map(
    ([name, { defaultText, description }]) => `| \`${name}\` | ${toCell(defaultText)} | ${description} |`,
  );
  return [
    `### ${title}`,
    '',
    '| Variable | Default | Description |',
    '| --- | --- | --- |',
    ...rows,
    '',
  ].join('\n');
}

/** A default of one word is written as code. */
function toCell(defaultText: string): string {
  return defaultText === '' || defaultText === 'none' || defaultText.includes(' ')
    ? defaultText
    : `\`${defaultText}\``;
}
