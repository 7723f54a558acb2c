/** What is said of arguments and settings before anything starts: help, mistakes, and the page that documents them. */
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { settings } from '../../src/config.js';
import { start } from './startedProcess.js';

const documentation = new URL('../../docs/configuration.md', import.meta.url);

/** The rows of the page's table. */
async function readDocumented() {
  const page = await readFile(documentation, 'utf8');
  return [...page.matchAll(/^\| `(\w+)` *\| (.*?) *\| (.*?) *\|$/gm)].map(
    ([, name, otherwise = '', description]) => ({
      name,
      default: otherwise.replaceAll('`', ''),
      description,
    }),
  );
}

describe('--help', () => {
  it.each(['--help', '-h'])('%s prints every setting with its default, and ends well', async (flag) => {
    const help = start([flag]);
    expect(await help.ended).toBe(0);
    const lines = help.stdout.split('\n').map((line) => line.replace(/\s+/g, ' ').trim());
    for (const { name, default: otherwise, description } of settings) {
      expect(lines).toContain(`${name} ${description}${otherwise === '' ? '' : ` Default: ${otherwise}.`}`);
    }
  });

  it('says the same as docs/configuration.md', async () => {
    expect(await readDocumented()).toEqual(settings);
  });
});

describe('arguments', () => {
  it.each([['serve'], ['toString'], ['__proto__'], ['gateway', 'now'], ['--port', '1'], ['']])(
    'refuses %s %s as an unknown command, in one line',
    async (...args) => {
      const refused = start(args);
      expect(await refused.ended).toBe(1);
      expect(refused.stderr).toBe(`Unknown command: ${args.join(' ')}. See --help.\n`);
      expect(refused.stdout).toBe('');
    },
  );
});

describe('settings', () => {
  it('lists all that is wrong in one message', async () => {
    const refused = start([], {
      PORT: 'http',
      SANDBOX_PORT: '70000',
      SANDBOX_SITES: '0',
      LOG_LEVEL: 'loud',
      HOST: '0.0.0.0',
    });
    expect(await refused.ended).toBe(1);
    const [first, ...problems] = refused.stderr.trim().split('\n');
    expect(first).toBe('The configuration is not usable:');
    expect(problems.map((line) => line.trim().split(':')[0]).sort()).toEqual([
      'HOST',
      'LOG_LEVEL',
      'PORT',
      'SANDBOX_PORT',
      'SANDBOX_SITES',
    ]);
  });

  it('needs a key and a secret with PLATFORM_URL', async () => {
    const refused = start([], { PLATFORM_URL: 'https://platform.example' });
    expect(await refused.ended).toBe(1);
    expect(refused.stderr).toContain('PLATFORM_KEY: is missing');
    expect(refused.stderr).toContain('PLATFORM_SECRET: is missing');
  });
});
