/** Writes the table of settings into `docs/configuration.md`, between its two marks. Run it by `npm run docs:settings`. */
import { readFile, writeFile } from 'node:fs/promises';
import { settingsMarkdown } from '../dist/cli/help.js';

const page = new URL('../docs/configuration.md', import.meta.url);
const text = await readFile(page, 'utf8');
const marks = /(?<=<!-- settings -->\n\n)[\s\S]*(?=\n<!-- \/settings -->)/;
if (!marks.test(text)) throw new Error('docs/configuration.md has no place for the settings.');
await writeFile(
  page,
  text.replace(marks, () => settingsMarkdown()),
);
