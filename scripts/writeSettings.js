/** Writes the table of settings into `docs/configuration.md`, between its two markers. Run it by `npm run docs:settings`. */
import { readFile, writeFile } from 'node:fs/promises';
import { settingsMarkdown } from '../dist/cli/commands.js';

const page = new URL('../docs/configuration.md', import.meta.url);
const text = await readFile(page, 'utf8');
const markers = /(?<=<!-- settings -->\n\n)[\s\S]*(?=\n<!-- \/settings -->)/;
if (!markers.test(text)) throw new Error('docs/configuration.md has no markers for the settings.');
await writeFile(
  page,
  text.replace(markers, () => settingsMarkdown()),
);
