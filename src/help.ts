/** What `--help` prints: the same table as `docs/configuration.md`. */
import { settings } from './config.js';

export function helpText(): string {
  const width = Math.max(...settings.map(({ name }) => name.length));
  const rows = settings.map(({ name, default: otherwise, description }) => {
    const assumed = otherwise === '' ? '' : ` Default: ${otherwise}.`;
    return `  ${name.padEnd(width)}  ${description}${assumed}`;
  });
  return [
    'fieldgraph            starts the gateway; without PLATFORM_URL on an embedded sandbox',
    'fieldgraph sandbox    starts the sandbox alone',
    'fieldgraph api-key    makes a key for CALLER_AUTH=api-key; without arguments it says how',
    '',
    'Environment:',
    ...rows,
  ].join('\n');
}
