/**
 * Writes the table of settings into `docs/configuration.md`, between its two markers. Run it by `npm run docs:settings`.
 * With `--print` it only prints the table.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { settingGroups } from '../build/config/settings.js';

function toMarkdown({ title, settings }) {
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
function toCell(defaultText) {
  return defaultText === '' || defaultText === 'none' || defaultText.includes(' ')
    ? defaultText
    : `\`${defaultText}\``;
}

const table = settingGroups.map(toMarkdown).join('\n');
if (process.argv[2] === '--print') {
  process.stdout.write(table);
} else {
  const page = new URL('../docs/configuration.md', import.meta.url);
  const text = await readFile(page, 'utf8');
  const markers = /(?<=<!-- settings -->\n\n)[\s\S]*(?=\n<!-- \/settings -->)/;
  if (!markers.test(text)) throw new Error('docs/configuration.md has no markers for the settings.');
  await writeFile(
    page,
    text.replace(markers, () => table),
  );
}
