/** The two commands as a new user runs them: start, paste the printed examples, stop. */
import { execFileSync } from 'node:child_process';
import { mkdtemp, open, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { describeSandboxError, describeStartupError } from '../../src/lib/startupErrors.js';
import { TOKEN_PATH } from '../../src/rest/path.js';
import { findFreePort } from '../support/freePort.js';
import { readOperation } from '../support/gateway.js';
import { ask, startPlainServer, until } from '../support/http/edgeGateway.js';
import { createGate } from '../support/waiting.js';
import { find, sandboxIn, start, urlIn } from './startedProcess.js';

const certificate = fileURLToPath(new URL('chainedCertificate.pem', import.meta.url));

interface Sites {
  data: { sites: { totalCount: number; nodes: { name: string }[] } };
}

/** Runs a printed curl command with `fetch`: address, headers, user and body. */
async function runCurl(command: string): Promise<Response> {
  const words = [...command.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '');
  const after = (option: string) => words[words.indexOf(option) + 1] ?? '';
  const url = words.find((word) => word.startsWith('http')) ?? '';
  const user = words.includes('-u') ? Buffer.from(after('-u')).toString('base64') : undefined;
  const [name = 'content-type', value = 'application/x-www-form-urlencoded'] = words.includes('-H')
    ? after('-H').split(': ')
    : [];
  const headers = { [name]: value, ...(user === undefined ? {} : { Authorization: `Basic ${user}` }) };
  return fetch(url, { method: 'POST', headers, body: after('-d') });
}

describe('fieldgraph', () => {
  it('prints working addresses on a terminal, and a query and a curl command that work unchanged', async () => {
    const gateway = start([], {}, { isOnTerminal: true });
    const startupOutput = await gateway.startupOutput();
    const url = urlIn(startupOutput);
    const query = find(startupOutput, /^ {2}(\{.*\})$/m);
    expect(await ask(url, query)).toMatchObject({ data: { sites: { totalCount: 3 } } });
    const result = await runCurl(find(startupOutput, /^ {2}(curl .*)$/m));
    const { data } = (await result.json()) as Sites;
    expect(data.sites.nodes.map(({ name }) => name)).toEqual([
      expect.any(String),
      expect.any(String),
      expect.any(String),
    ]);
    expect(
      (await fetch(find(startupOutput, /GraphQL\s+(http:\S+)/), { headers: { accept: 'text/html' } })).url,
    ).toBe(`${url}/`);
    expect((await fetch(`${find(startupOutput, /Sandbox\s+(http:\S+)/)}/openapi.json`)).status).toBe(200);
  });

  it.each(['SIGINT', 'SIGTERM'] as const)(
    'shuts down on %s: exit code 0, ports free again',
    async (signal) => {
      const gateway = start();
      const startupOutput = await gateway.startupOutput();
      expect(await ask(urlIn(startupOutput), await readOperation('Fleet'))).not.toHaveProperty('errors');
      gateway.kill(signal);
      expect(await gateway.ended).toBe(0);
      expect(gateway.stderr).toBe('');
      await expect(fetch(`${urlIn(startupOutput)}/healthz`)).rejects.toThrow();
      await expect(fetch(`${sandboxIn(startupOutput)}/openapi.json`)).rejects.toThrow();
    },
  );

  it.each(['1', '2'])(
    'responds and stops while its log cannot be written, with WORKERS=%s',
    async (workers) => {
      const full = await open('/dev/full', 'w');
      const settings = { ACCESS_LOG: '1', LOG_LEVEL: 'info', WORKERS: workers };
      const gateway = start([], settings, { stderr: full.fd });
      await full.close();
      const url = urlIn(await gateway.startupOutput());
      for (let index = 0; index < 3; index++) {
        expect(await ask(url, '{ sites { totalCount } }')).not.toHaveProperty('errors');
      }
      gateway.kill('SIGTERM');
      expect(await gateway.ended).toBe(0);
    },
  );

  it('responds and stops while its log is a pipe that nobody reads', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'log-'));
    const file = path.join(folder, 'pipe');
    execFileSync('mkfifo', [file]);
    // Blocking, as shells and container runtimes create pipes.
    const pipe = await open(file, 'r+');
    const gateway = start([], { ACCESS_LOG: '1', LOG_LEVEL: 'info' }, { stderr: pipe.fd });
    const url = urlIn(await gateway.startupOutput());
    // Lines of 200 bytes at least, for a pipe of 64 KB.
    const query = `query ${'Name'.repeat(25)} { __typename }`;
    for (let index = 0; index < 500; index++) {
      expect(await ask(url, query)).not.toHaveProperty('errors');
    }
    gateway.kill('SIGTERM');
    expect(await gateway.ended).toBe(0);
    await pipe.close();
    await rm(folder, { recursive: true });
  });

  it('responds without a reader of its standard output', async () => {
    const port = await findFreePort();
    const gateway = start([], { PORT: String(port) });
    gateway.closeStdout();
    const url = `http://127.0.0.1:${port}`;
    const isHealthy = () =>
      fetch(`${url}/healthz`)
        .then(({ ok }) => ok)
        .catch(() => false);
    await until(isHealthy);
    expect(await ask(url, '{ sites { totalCount } }')).not.toHaveProperty('errors');
    gateway.kill('SIGTERM');
    expect([await gateway.ended, gateway.stderr]).toEqual([0, '']);
  });

  it('finishes a running request after the first SIGINT, and ends at once on the second', async () => {
    const { open: arrive, opened: arrived } = createGate();
    // The start itself requests the token. The call that never ends is the operation's.
    const platform = await startPlainServer(({ url }, response) => {
      if (url === TOKEN_PATH) response.end(JSON.stringify({ access_token: 't', expires_in: 3600 }));
      else arrive();
    });
    const gateway = start([], { PLATFORM_URL: platform.url, PLATFORM_KEY: 'k', PLATFORM_SECRET: 's' });
    const url = urlIn(await gateway.startupOutput());
    let end = 'still waits';
    const result = ask(url, '{ sites { totalCount } }').catch(() => {
      end = 'cut off';
    });
    await arrived;
    gateway.kill('SIGINT');
    // A connection may be reset while the gateway begins to refuse: then the request is repeated.
    const isRefusing = () =>
      fetch(`${url}/healthz`).then(
        ({ status }) => status === 503,
        () => false,
      );
    await until(isRefusing);
    expect(end).toBe('still waits');
    gateway.kill('SIGINT');
    expect(await gateway.ended).toBe(1);
    await result;
    expect(end).toBe('cut off');
  });

  it.each([
    ['PORT', [], {}],
    ['SANDBOX_PORT', [], {}],
    ['SANDBOX_PORT', ['sandbox'], {}],
    ['PORT', ['start'], { WORKERS: '2' }],
  ])('names %s where that port is in use: %j %j', async (name, args, environment) => {
    const other = await startPlainServer(() => {});
    const { port } = new URL(other.url);
    const gateway = start(args, { ...environment, [name]: port });
    expect(await gateway.ended).toBe(1);
    expect(gateway.stderr).toBe(
      `Port ${port} is taken. Choose another one with ${name}; ${name}=0 takes a free port.\n`,
    );
  });

  it('names both settings if the gateway and its sandbox would share a port', async () => {
    const port = String(await findFreePort());
    const gateway = start([], { PORT: port, SANDBOX_PORT: port });
    expect(await gateway.ended).toBe(1);
    expect(gateway.stderr).toBe(
      `PORT and SANDBOX_PORT are both ${port}. Choose another port with SANDBOX_PORT; 0 takes a free port.\n`,
    );
  });

  it('creates no sandbox if its port is in use', async () => {
    const other = await startPlainServer(() => {});
    const directory = await mkdtemp(path.join(tmpdir(), 'sandbox-'));
    const gateway = start([], { PORT: new URL(other.url).port, SANDBOX_DB: path.join(directory, 'data') });
    expect(await gateway.ended).toBe(1);
    expect(await readdir(directory)).toEqual([]);
    await rm(directory, { recursive: true });
  });

  it.each<[Record<string, string>, RegExp]>([
    [{ TRUSTED_DOCUMENTS: '/none' }, /^ {2}TRUSTED_DOCUMENTS: ENOENT.*\/none/m],
    [{ SANDBOX_DB: '/none/file' }, /^SANDBOX_DB: The folder of \/none\/file does not exist/],
    [
      { CALLER_AUTH: 'api-key', API_KEYS_FILE: '/none' },
      /^ {2}API_KEYS_FILE: .*API_KEYS_FILE=\/none npx fieldgraph/m,
    ],
    [{ REDIS_URI: 'redis://localhost', PORT: '-1' }, /Did you mean REDIS_URL\?/],
    [
      { TLS_CERT_FILE: certificate, TLS_KEY_FILE: '-----BEGIN PRIVATE KEY-----\nhidden' },
      /^[^\n]*\n {2}TLS_CERT_FILE and TLS_KEY_FILE: The setting has the content of a file.*\n$/,
    ],
    [
      {
        ...{ CALLER_AUTH: 'jwt', JWT_ISSUER: 'a', JWT_AUDIENCE: 'b' },
        JWKS_FILE: '{"keys":[{"kty":"EC","d":"hidden"}]}',
      },
      /^[^\n]*\n {2}JWKS_FILE: The setting has the content of a file instead of its path\.\n$/,
    ],
  ])('names the setting, and ends: %j', async (environment, message) => {
    const gateway = start([], environment);
    expect(await gateway.ended).toBe(1);
    expect(gateway.stderr).toMatch(message);
    expect(gateway.stderr).not.toMatch(/^ +at /m);
  });

  it.each([[{}], [{ WORKERS: '2' }]])(
    'warns once about trusted documents that do not match the schema: %j',
    async (environment) => {
      const directory = await mkdtemp(path.join(tmpdir(), 'documents-'));
      await writeFile(path.join(directory, 'old.graphql'), '{ weather }');
      const gateway = start([], { TRUSTED_DOCUMENTS: directory, ...environment });
      await gateway.startupOutput();
      await until(() => gateway.stderr.endsWith('\n'));
      await rm(directory, { recursive: true });
      expect(JSON.parse(gateway.stderr)).toMatchObject({
        level: 'warn',
        msg: 'Trusted documents do not match the schema',
        documents: ['old.graphql, line 1: Cannot query field "weather" on type "Query".'],
        total: 1,
      });
    },
  );

  it('warns that the credential is sent without encryption', async () => {
    const credential = { PLATFORM_KEY: 'k', PLATFORM_SECRET: 'hidden' };
    const gateway = start([], { PLATFORM_URL: 'http://platform.invalid', ...credential });
    await gateway.startupOutput();
    await until(() => gateway.stderr.endsWith('\n'));
    expect(JSON.parse(gateway.stderr.split('\n')[0] ?? '')).toMatchObject({
      level: 'warn',
      msg: 'PLATFORM_URL is http: the credential and the data are not encrypted',
    });
    expect(gateway.stderr).not.toContain('hidden');
  });

  it('warns about a misspelled setting, without its value', async () => {
    const gateway = start([], { REDIS_URI: 'redis://:hidden@localhost' });
    await gateway.startupOutput();
    await until(() => gateway.stderr.endsWith('\n'));
    expect(JSON.parse(gateway.stderr)).toMatchObject({
      level: 'warn',
      msg: 'An environment variable has no effect',
      hint: expect.stringContaining('REDIS_URL?'),
    });
    expect(gateway.stderr).not.toContain('hidden');
  });

  it('warns that certificates are not checked', async () => {
    const gateway = start([], { NODE_TLS_REJECT_UNAUTHORIZED: '0' });
    await gateway.startupOutput();
    const [line = ''] = gateway.stderr.split('\n');
    expect(JSON.parse(line)).toMatchObject({ level: 'warn', msg: 'Certificates are not checked' });
  });

  it('uses a free port for its sandbox if none is set', async () => {
    const [one, other] = [start([], { SANDBOX_PORT: '' }), start([], { SANDBOX_PORT: '' })];
    const urls = [one, other].map(async (gateway) => new URL(sandboxIn(await gateway.startupOutput())).port);
    const ports = await Promise.all(urls);
    expect(new Set(ports).size).toBe(2);
    expect(ports).not.toContain('4010');
  });

  it('prints an address that can be opened where HOST means all interfaces', async () => {
    const environment = { HOST: '0.0.0.0', CALLER_AUTH_OPEN: 'yes-really' };
    const gateway = start([], environment, { isOnTerminal: true });
    const startupOutput = await gateway.startupOutput();
    expect(urlIn(startupOutput)).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(startupOutput).toContain('listens on all interfaces');
    expect(startupOutput).not.toContain('http://0.0.0.0');
    expect((await fetch(`${urlIn(startupOutput)}/healthz`)).status).toBe(200);
  });

  it('prints a clear line for an address of another machine, without a stack', async () => {
    const gateway = start([], { HOST: '192.0.2.1', CALLER_AUTH_OPEN: 'yes-really' });
    expect(await gateway.ended).toBe(1);
    expect(gateway.stderr.trim().split('\n')).toHaveLength(1);
    expect(gateway.stderr).toMatch(/192\.0\.2\.1.*Set HOST/);
  });

  it('names the setting of a port that needs rights', () => {
    const message = 'listen EACCES: permission denied 0.0.0.0:80';
    const error = Object.assign(new Error(message), { code: 'EACCES', syscall: 'listen' });
    expect(describeStartupError(error)).toMatch(/:80\. Choose .* with PORT,/);
    expect(describeSandboxError(error, 'file.db')).toMatchObject({
      message: expect.stringMatching(/:80\. Choose .* with SANDBOX_PORT,/),
    });
  });

  it.each([
    ['SQLITE_IOERR_GETTEMPPATH', 'file.db', /temporary files: disk I\/O error\. .*SQLITE_TMPDIR/],
    ['SQLITE_FULL', undefined, /temporary files: .*SQLITE_TMPDIR/],
    ['SQLITE_FULL', 'file.db', /^SANDBOX_DB: file\.db can't be used/],
  ])('names the setting of files that the sandbox cannot write: %s, %s', (code, file, expected) => {
    const error = Object.assign(new Error('disk I/O error'), { code });
    expect(describeSandboxError(error, file)).toMatchObject({ message: expect.stringMatching(expected) });
  });

  it('prints a clear line for a sandbox file that is not a database, without a stack', async () => {
    const directory = await mkdtemp(path.join(tmpdir(), 'fieldgraph-'));
    const file = path.join(directory, 'notes.txt');
    await writeFile(file, 'These are notes, and they are to stay as they are.');
    const gateway = start([], { SANDBOX_DB: file });
    expect(await gateway.ended).toBe(1);
    expect(await readFile(file, 'utf8')).toBe('These are notes, and they are to stay as they are.');
    await rm(directory, { recursive: true });
    expect(gateway.stderr.trim().split('\n')).toHaveLength(1);
  });

  it('logs JSON lines to standard error from LOG_LEVEL on, and prints one line to standard output', async () => {
    const port = await findFreePort();
    const environment = { PLATFORM_URL: `http://127.0.0.1:${port}`, PLATFORM_KEY: 'k', PLATFORM_SECRET: 's' };
    const [talking, silent] = ['warn', 'silent'].map((LOG_LEVEL) => start([], { ...environment, LOG_LEVEL }));
    for (const gateway of [talking, silent]) {
      await ask(urlIn((await gateway?.startupOutput()) ?? ''), '{ sites { totalCount } }');
      gateway?.kill('SIGTERM');
      await gateway?.ended;
      const [line = '', ...more] = gateway?.stdout.trimEnd().split('\n') ?? [];
      expect([JSON.parse(line), more]).toEqual([
        {
          level: 'info',
          time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
          version: expect.stringMatching(/^\d+\.\d+\.\d+/),
          url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
          platform: environment.PLATFORM_URL,
          sandbox: false,
          msg: 'Listening',
        },
        [],
      ]);
    }
    const lines =
      talking?.stderr
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as object) ?? [];
    expect(lines).toContainEqual(
      expect.objectContaining({ code: 'PLATFORM_UNAVAILABLE', msg: expect.any(String) }),
    );
    expect(silent?.stderr).toBe('');
  });
});

describe('fieldgraph sandbox', () => {
  it('serves the REST API alone, and prints a curl command that gets a token', async () => {
    const environment = { SANDBOX_KEY: 'it', SANDBOX_SECRET: 'works' };
    const sandbox = start(['sandbox'], environment, { isOnTerminal: true });
    const startupOutput = await sandbox.startupOutput();
    const result = await runCurl(find(startupOutput, /^ {2}(curl .*)$/m));
    const { access_token } = (await result.json()) as { access_token: string };
    const sites = await fetch(`${find(startupOutput, /REST API\s+(http:\S+)/)}/site`, {
      headers: { Authorization: `Bearer ${access_token}` },
    });
    expect(await sites.json()).toHaveLength(3);
    expect((await fetch(find(startupOutput, /OpenAPI\s+(http:\S+)/))).status).toBe(200);
  });

  it('warns about a misspelled setting', async () => {
    const sandbox = start(['sandbox'], { SANDBOX_DAY: '3' });
    await sandbox.startupOutput();
    const hint = 'SANDBOX_DAY is not a setting. Did you mean SANDBOX_DAYS?';
    expect(JSON.parse(sandbox.stderr)).toMatchObject({ level: 'warn', hint });
  });

  it('prints one line without a terminal, and stops on SIGINT', async () => {
    const sandbox = start(['sandbox']);
    const startupOutput = await sandbox.startupOutput();
    expect(JSON.parse(startupOutput)).toMatchObject({ url: urlIn(startupOutput), msg: 'Sandbox listening' });
    expect((await fetch(`${urlIn(startupOutput)}/openapi.json`)).status).toBe(200);
    sandbox.kill('SIGINT');
    expect(await sandbox.ended).toBe(0);
  });
});
