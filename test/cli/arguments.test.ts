/** Arguments and settings before the start: help, errors, and the page that documents them. */
import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { settings } from '../../src/config/settings.js';
import { startPlainServer } from '../support/http/edgeGateway.js';
import { createGate } from '../support/waiting.js';
import { start } from './startedProcess.js';

const documentation = new URL('../../docs/configuration.md', import.meta.url);
const writeSettings = fileURLToPath(new URL('../../scripts/writeSettings.js', import.meta.url));

describe('an old Node.js', () => {
  const preload = `data:text/javascript,Object.defineProperty(process.versions, 'node', { value: '18.20.4' })`;
  const run = (args: readonly string[]) => start(args, { NODE_OPTIONS: `--import="${preload}"` });

  it('is named with the version that is needed, before any other module is loaded', async () => {
    const gateway = run([]);
    expect(await gateway.ended).toBe(1);
    expect(gateway.stdout).toBe('');
    expect(gateway.stderr).toMatch(/^Node\.js 18\.20\.4 is too old\. Install [\d.]+ or later\.\n$/);
  });

  it('is the problem in the report of the doctor', async () => {
    const [text, json] = [run(['doctor']), run(['doctor', '--json'])];
    expect([await text.ended, await json.ended]).toEqual([1, 1]);
    expect(text.stdout).toMatch(/PROBLEM Node\.js 18\.20\.4 is too old\.\n +→ Install [\d.]+ or later\./);
    expect(JSON.parse(json.stdout)).toMatchObject({
      ok: false,
      findings: [{ check: 'process.node', status: 'problem' }],
    });
  });
});

describe('--help', () => {
  it.each([['--help'], ['-h'], ['start', '--help']])(
    '%s %s prints every setting with its default, and exits with 0',
    async (...args) => {
      const help = start(args);
      expect(await help.ended).toBe(0);
      expect(help.stdout.split('\n').filter((line) => line.length > 110)).toEqual([]);
      const entries = help.stdout.split(/\n {2,4}(?=\S)/).map((entry) => entry.replace(/\s+/g, ' ').trim());
      for (const [name, { description, defaultText }] of Object.entries(settings)) {
        expect(entries).toContain(
          `${name} ${description}${defaultText === '' ? '' : ` Default: ${defaultText}.`}`,
        );
      }
    },
  );

  it.each(['sandbox', 'api-key', 'doctor', 'schema'])('of %s has no long lines', async (name) => {
    const help = start([name, '--help']);
    expect(await help.ended).toBe(0);
    expect(help.stdout).toMatch(new RegExp(`^Usage: fieldgraph ${name}`));
    expect(help.stdout.split('\n').filter((line) => line.length > 110)).toEqual([]);
  });

  it('lists the commands', async () => {
    const help = start(['--help']);
    await help.ended;
    for (const name of ['start', 'sandbox', 'api-key', 'doctor', 'schema'])
      expect(help.stdout).toMatch(new RegExp(`^  ${name} `, 'm'));
  });

  it('of a command prints its options and settings, and does not run it', async () => {
    const [sandbox, apiKey] = [start(['sandbox', '-h']), start(['api-key', '--name', 'x', '--help'])];
    expect([await sandbox.ended, await apiKey.ended]).toEqual([0, 0]);
    expect(sandbox.stdout).toMatch(/^Usage: fieldgraph sandbox\n/);
    expect(sandbox.stdout).toContain('SANDBOX_DB');
    expect(sandbox.stdout).not.toContain('PLATFORM_URL');
    expect(apiKey.stdout).toMatch(/^Usage: fieldgraph api-key .*\n/);
    expect(apiKey.stdout).toContain('--expires');
    expect(apiKey.stdout).not.toContain('fg_');
  });

  it.each(['on', 'off'])(
    'of the schema is that of GET /schema.graphql, with FEDERATION=%s',
    async (FEDERATION) => {
      // Other settings may be incomplete, as in the image.
      const printed = start(['schema'], { FEDERATION, HOST: '0.0.0.0' });
      expect(await printed.ended).toBe(0);
      expect(printed.stdout.includes('_entities(')).toBe(FEDERATION === 'on');
    },
  );

  it('of the schema is not printed with an unknown value of FEDERATION', async () => {
    const printed = start(['schema'], { FEDERATION: 'true' });
    expect([await printed.ended, printed.stdout]).toEqual([1, '']);
    expect(printed.stderr).toContain('FEDERATION: must be one of on, off; "true" is not.');
  });

  it('ends without an error where the reader of its output has gone', async () => {
    const printed = start(['schema']);
    printed.closeStdout();
    expect([await printed.ended, printed.stderr]).toEqual([0, '']);
  });

  it('equals docs/configuration.md', async () => {
    const table = execFileSync(process.execPath, [writeSettings, '--print'], { encoding: 'utf8' });
    expect(await readFile(documentation, 'utf8'), 'Run npm run docs:settings').toContain(
      `<!-- settings -->\n\n${table}\n<!-- /settings -->`,
    );
    for (const name of Object.keys(settings)) expect(table).toContain(`| \`${name}\` |`);
  });
});

describe('--version', () => {
  it.each(['--version', '-v'])('%s prints the version of the package', async (flag) => {
    const { version } = JSON.parse(
      await readFile(new URL('../../package.json', import.meta.url), 'utf8'),
    ) as {
      version: string;
    };
    const printed = start([flag]);
    expect([await printed.ended, printed.stdout]).toEqual([0, `${version}\n`]);
  });
});

describe('a command that a signal ends', () => {
  it.each([
    ['SIGTERM', 143],
    ['SIGINT', 130],
  ] as const)('does not report success after %s', async (signal, exitCode) => {
    const { open: arrive, opened: arrived } = createGate();
    // It never responds.
    const { url } = await startPlainServer(() => arrive());
    const doctor = start(['doctor'], { PLATFORM_URL: url, PLATFORM_KEY: 'k', PLATFORM_SECRET: 's' });
    await arrived;
    doctor.kill(signal);
    expect([await doctor.ended, doctor.stdout]).toEqual([exitCode, '']);
  });
});

describe('arguments', () => {
  it('of the doctor that are wrong are an error with its usage, on standard error', async () => {
    const refused = start(['doctor', '--listeners', 'many']);
    expect([await refused.ended, refused.stdout]).toEqual([2, '']);
    expect(refused.stderr).toMatch(/^--listeners must be a whole number\.\n\nUsage: fieldgraph doctor /);
  });

  it.each([['serve'], ['toString'], ['__proto__'], ['start', 'now'], ['sandbox', 'now'], ['']])(
    'refuse %s %s as an unknown command, in one line',
    async (...args) => {
      const refused = start(args);
      expect(await refused.ended).toBe(1);
      expect(refused.stderr).toBe(`Unknown command: ${args.join(' ')}. See --help.\n`);
      expect(refused.stdout).toBe('');
    },
  );

  it.each([
    ['--port', '1'],
    ['start', '--port', '1'],
    ['schema', '--port'],
  ])('refuse %s %s as an unknown option, and say where settings are', async (...args) => {
    const refused = start(args);
    expect(await refused.ended).toBe(1);
    expect(refused.stderr).toBe(
      'Unknown option: --port. Settings are environment variables, such as PORT=5000. See --help.\n',
    );
    expect(refused.stdout).toBe('');
  });
});

describe('settings', () => {
  it('report all errors in one message', async () => {
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

  it('require a key and a secret with PLATFORM_URL', async () => {
    const refused = start([], { PLATFORM_URL: 'https://platform.example' });
    expect(await refused.ended).toBe(1);
    expect(refused.stderr).toContain('PLATFORM_KEY: is missing');
    expect(refused.stderr).toContain('PLATFORM_SECRET: is missing');
  });

  it('suggest API keys for an open gateway that other machines can reach', async () => {
    const refused = start([], { HOST: '0.0.0.0' });
    expect(await refused.ended).toBe(1);
    const [, command, setting, open] =
      /(fieldgraph api-key --name).*(CALLER_AUTH=api-key).*(CALLER_AUTH_OPEN=yes-really)/.exec(
        refused.stderr,
      ) ?? [];
    expect([command, setting, open]).not.toContain(undefined);
  });

  it('of the sandbox alone are the only ones checked by its command', async () => {
    const sandbox = start(['sandbox'], { HOST: '0.0.0.0', CALLER_AUTH: 'none' });
    expect(await sandbox.startupOutput()).toContain('Sandbox listening');
    const refused = start(['sandbox'], { SANDBOX_SITES: '0' });
    expect([await refused.ended, refused.stderr.match(/SANDBOX_SITES: /g)]).toEqual([1, ['SANDBOX_SITES: ']]);
  });
});
