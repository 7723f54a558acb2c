/** The environment variables: every error is reported at once, and no message contains a secret. */
import { execFileSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../../src/config/config.js';
import type { Environment } from '../../../src/config/settings.js';
import { defaultResilienceLimits } from '../../../src/rest/resilience/resilienceLimits.js';
import { createCredentials } from '../../../src/sandbox/auth/clients.js';
import { problemsOf } from './problems.js';

const REMOTE = { PLATFORM_URL: 'https://platform.example', PLATFORM_KEY: 'k', PLATFORM_SECRET: 's' };

describe('readConfig', () => {
  it('reads an empty environment as a gateway on the sandbox, open on loopback', () => {
    expect(readConfig({})).toMatchObject({
      host: '127.0.0.1',
      port: 4000,
      platform: { kind: 'sandbox' },
      channelAttribute: 'channel_id',
      publicHosts: [],
      sandbox: { port: undefined, databaseFile: undefined, siteCount: 40, key: 'sandbox', secret: 'sandbox' },
    });
  });

  it('reads the number of processes: one, a number, or one for each core', () => {
    expect(readConfig({}).workers).toBe(1);
    expect(readConfig({ WORKERS: '3' }).workers).toBe(3);
    expect(readConfig({ WORKERS: 'auto' }).workers).toBe(availableParallelism());
  });

  it('reads the time for the platform, of which one attempt may take half', () => {
    const { attemptTimeoutMs, operationTimeoutMs } = defaultResilienceLimits;
    expect(readConfig({}).resilience).toEqual({ attemptTimeoutMs, operationTimeoutMs });
    expect(readConfig({ PLATFORM_TIMEOUT_SECONDS: '90' }).resilience).toEqual({
      attemptTimeoutMs: 45_000,
      operationTimeoutMs: 90_000,
    });
  });

  it('refuses bodies that never fit into the memory of a caller', () => {
    const MAX_CALLER_BYTES = '2000000';
    expect(readConfig({ MAX_BODY_BYTES: '1000000', MAX_CALLER_BYTES }).callerLimits.maxBodyBytes).toBe(1e6);
    expect(problemsOf({ MAX_BODY_BYTES: '1000001', MAX_CALLER_BYTES })).toEqual([
      'MAX_BODY_BYTES: must be at most half of MAX_CALLER_BYTES (2000000).',
    ]);
  });

  it.each(['0', '1.5', 'many', '257'])('refuses WORKERS=%s', (WORKERS) => {
    expect(problemsOf({ WORKERS })).toEqual([expect.stringMatching(/^WORKERS: .*from 1 to 256, or auto; /)]);
  });

  it('refuses two names for one type of health counters', () => {
    expect(problemsOf({ HEALTH_COUNTERS: '1=Battery:mV,4=Restarts,1=Signal' })).toEqual([
      'HEALTH_COUNTERS: names the type 1 twice.',
    ]);
  });

  it('refuses health counters without a name', () => {
    expect(problemsOf({ HEALTH_COUNTERS: '1= :mV' })).toEqual([
      expect.stringMatching(/^HEALTH_COUNTERS: must be items such as `1=Battery:mV`; "1= :mV" is not\./),
    ]);
    expect(readConfig({ HEALTH_COUNTERS: '1= Battery : mV' }).healthCounters).toEqual([
      { typeId: 1, name: 'Battery', units: 'mV' },
    ]);
  });

  it('reads an empty variable as an absent one', () => {
    expect(readConfig({ PORT: '', PLATFORM_URL: ' ', SANDBOX_DB: '' })).toEqual(readConfig({}));
  });

  it.each([
    ['https://platform.example/', 'https://platform.example'],
    ['https://platform.example/v2.0', 'https://platform.example'],
    ['https://platform.example/v2.0/', 'https://platform.example'],
    ['http://127.0.0.1:4010/api', 'http://127.0.0.1:4010/api'],
  ])('reads the address %s without /v2.0', (given, url) => {
    expect(readConfig({ ...REMOTE, PLATFORM_URL: given }).platform).toMatchObject({ kind: 'remote', url });
  });

  it.each([
    'platform.example',
    'ftp://platform.example',
    'https://user:hidden@platform.example',
    'https://platform.example?key=hidden',
    'https://platform.example#hidden',
    'user:hidden@platform.example',
    'platform.example?key=hidden',
    'hidden+secret/in_the_wrong_setting',
  ])('refuses the address %s without repeating it', (given) => {
    const problems = problemsOf({ ...REMOTE, PLATFORM_URL: given });
    expect(problems).toEqual([expect.stringMatching(/^PLATFORM_URL: /)]);
    expect(problems.join()).not.toContain('hidden');
  });

  it.each([
    'https://https://platform.example',
    'https://platform.example/v2.0/site',
    'https://platform.example/auth/token',
    'localhost:4010',
    'http://localhost:99999',
    '"https://platform.example"',
  ])('refuses the address %s, and repeats it', (PLATFORM_URL) => {
    const [problem] = problemsOf({ ...REMOTE, PLATFORM_URL });
    expect(problem).toMatch(/^PLATFORM_URL: must be /);
    expect(problem).toContain(JSON.stringify(PLATFORM_URL));
  });

  it.each([
    'redis://:p@hidden/1@host',
    'redis://:hidden/1@host',
    'redis://:hidden%@host',
    'redis://host/hidden',
    'redis://:p#hidden@host',
    'redis://user:8?hidden@host',
    'redis://host/0?password=hidden',
    ':hidden@host:6379',
    'redis:6379',
    'rediss:6380',
    'redis:',
    'redis:///0',
  ])('refuses the address %s of Redis without repeating it', (REDIS_URL) => {
    const problems = problemsOf({ REDIS_URL });
    expect(problems).toEqual([
      expect.stringMatching(/^REDIS_URL: .*redis:\/\/user:password@host:6379\/0.*%40/),
    ]);
    expect(problems.join()).not.toContain('hidden');
  });

  it.each(['redis://host', 'rediss://user:p%40%2F@host:6380/3', 'redis://[::1]:6379/'])(
    'accepts the address %s of Redis',
    (REDIS_URL) => expect(readConfig({ REDIS_URL }).redisUrl).toBe(REDIS_URL),
  );

  it.each([
    ['team:a', 'must not contain a colon'],
    [createCredentials('a', 'b')[1].key, "the key of the sandbox's second account"],
  ])('refuses SANDBOX_KEY=%s', (SANDBOX_KEY, reason) => {
    const problems = problemsOf({ SANDBOX_KEY });
    expect(problems).toEqual([expect.stringMatching(new RegExp(`^SANDBOX_KEY: .*${reason}`))]);
  });

  it.each([
    ['http://platform.example', true],
    ['http://10.0.0.5:8080', true],
    ['https://platform.example', false],
    ['http://127.0.0.1:4010', false],
    ['http://localhost', false],
    ['http://[::1]:4010', false],
    ['', false],
  ])('knows whether %j is called without encryption', (url, expected) => {
    const remote = url === '' ? {} : { ...REMOTE, PLATFORM_URL: url };
    expect(readConfig(remote).sendsClearText).toBe(expected);
  });

  it.each(['http://127.0.0.1', '127.0.0.1:4000', '*', 'a b', '[::1'])('refuses HOST=%s', (HOST) => {
    const problems = problemsOf({ HOST, CALLER_AUTH_OPEN: 'yes-really' });
    expect(problems).toEqual([expect.stringMatching(/^HOST: must be .*without scheme and port/)]);
    expect(problemsOf({ HOST })).toEqual(problems);
  });

  it('reads an IPv6 address in brackets', () => expect(readConfig({ HOST: '[::1]' }).host).toBe('::1'));

  it('refuses a credential without an address, because sandbox data could pass for real data', () => {
    expect(problemsOf({ PLATFORM_KEY: 'k' })).toEqual([expect.stringMatching(/^PLATFORM_URL: is missing/)]);
  });

  it.each(['0.0.0.0', '::', '192.168.1.5', 'myhost', '127.0.0.1.example'])(
    'listens on %s without authentication only if that is confirmed',
    (HOST) => {
      expect(problemsOf({ HOST })).toEqual([expect.stringMatching(/^HOST: /)]);
      expect(problemsOf({ HOST, CALLER_AUTH_OPEN: 'yes-really' })).toEqual([]);
    },
  );

  it.each(['127.0.0.1', '127.8.8.8', '::1', 'localhost'])('listens on %s without confirmation', (HOST) => {
    expect(problemsOf({ HOST })).toEqual([]);
  });

  it('reads the host names of a proxy', () => {
    const PUBLIC_HOSTS = 'gateway.example, Other.Example:8443 ,[2001:db8::1]:443,';
    const names = ['gateway.example', 'Other.Example:8443', '[2001:db8::1]:443'];
    expect(readConfig({ PUBLIC_HOSTS }).publicHosts).toEqual(names);
  });

  it.each(['https://gateway.example', 'gateway.example/', '*.example', 'a:0', 'a:65536', 'a b', '::1'])(
    'refuses %s as a name for PUBLIC_HOSTS',
    (name) => {
      const problems = problemsOf({ PUBLIC_HOSTS: `gateway.example,${name}` });
      expect(problems).toEqual([expect.stringContaining(JSON.stringify(name))]);
    },
  );

  it.each(['http://localhost:5173', 'capacitor://localhost', 'chrome-extension://abcdefgh'])(
    'accepts %s as an origin for CORS_ORIGINS',
    (origin) => expect(problemsOf({ CORS_ORIGINS: origin })).toEqual([]),
  );

  it.each([
    ...['*', 'null', 'https://*.example', 'https://a.example/', 'a.example', 'https://a.example:443'],
    ...['https://A.example', 'https://a.example?b', 'file://', 'capacitor://localhost/'],
  ])('refuses %s as an origin for CORS_ORIGINS', (origin) => {
    const problems = problemsOf({ CORS_ORIGINS: `https://dashboard.example,${origin}` });
    expect(problems).toEqual([expect.stringContaining(JSON.stringify(origin))]);
  });

  it.each(['-1', '65536', '4e3', '0x10', '80.5', 'http', '٤'])('refuses the port %s', (PORT) => {
    expect(problemsOf({ PORT })).toEqual([expect.stringMatching(/^PORT: .*from 0 to 65535/)]);
  });
});

describe('CALLER_AUTH', () => {
  const jwt = {
    CALLER_AUTH: 'jwt',
    JWT_ISSUER: 'https://issuer.example/',
    JWT_AUDIENCE: 'fieldgraph',
    JWKS_URL: 'https://issuer.example/keys',
  };

  it.each<[string, Environment, object]>([
    ['open', {}, { kind: 'open' }],
    ['api-key', { CALLER_AUTH: 'api-key', API_KEYS_FILE: 'k' }, { kind: 'api-key', file: 'k' }],
    ['jwt', jwt, { kind: 'jwt', issuer: 'https://issuer.example/', scopesClaim: 'scope' }],
    ['platform', { CALLER_AUTH: 'platform' }, { kind: 'platform' }],
  ])('accepts %s', (_, environment, callerAuth) => {
    expect(readConfig(environment).callerAuth).toMatchObject(callerAuth);
  });

  it.each(['api-key', 'jwt', 'platform'])('needs no confirmation for %s off loopback', (CALLER_AUTH) => {
    const environment = { ...jwt, CALLER_AUTH, API_KEYS_FILE: 'k', HOST: '0.0.0.0' };
    expect(problemsOf(environment)).toEqual([]);
  });

  it.each<[Environment, string[]]>([
    [{ CALLER_AUTH: 'none' }, ['CALLER_AUTH']],
    [{ CALLER_AUTH: 'api-key' }, ['API_KEYS_FILE']],
    [{ CALLER_AUTH: 'jwt' }, ['JWT_ISSUER', 'JWT_AUDIENCE', 'JWKS_URL']],
    [{ ...jwt, JWKS_URL: 'http://issuer.example/keys' }, ['JWKS_URL']],
    [{ ...jwt, JWKS_URL: 'http://127.0.0.1.example/keys' }, ['JWKS_URL']],
    [{ ...jwt, JWKS_URL: 'file:///keys' }, ['JWKS_URL']],
    [{ ...jwt, JWKS_URL: 'https://user:password@issuer.example/keys' }, ['JWKS_URL']],
    [{ ...REMOTE, CALLER_AUTH: 'platform' }, ['PLATFORM_KEY']],
    // A misspelt value must not leave the gateway open.
    [{ CALLER_AUTH: 'apikey', HOST: '0.0.0.0' }, ['CALLER_AUTH', 'HOST']],
  ])('refuses %j', (environment, names) => {
    expect(problemsOf(environment).map((problem) => problem.split(':')[0])).toEqual(names);
  });

  it('accepts platform with only the address, and keys over http on loopback', () => {
    const { platform } = readConfig({ PLATFORM_URL: REMOTE.PLATFORM_URL, CALLER_AUTH: 'platform' });
    expect(platform).toEqual({ kind: 'remote', url: REMOTE.PLATFORM_URL, key: '', secret: '' });
    expect(problemsOf({ ...jwt, JWKS_URL: 'http://[::1]:8080/keys' })).toEqual([]);
  });
});

it.each([
  ...['HOST', 'PLATFORM_URL', 'REDIS_URL', 'JWKS_URL', 'OTEL_EXPORTER_OTLP_ENDPOINT', 'PUBLIC_HOSTS'].map(
    (name) => [name, 'htps://me:hidden@b.example'] as const,
  ),
  ['PLATFORM_URL', 'https://a.example/https://me:hidden@b.example'] as const,
])('an address of %s that is refused, %s, is shown without its password', (name, value) => {
  const problems = problemsOf({ ...REMOTE, [name]: value });
  expect(problems).toContainEqual(expect.stringMatching(new RegExp(`^${name}: must `)));
  expect(problems.join()).not.toContain('hidden');
});

describe('a secret in a file', () => {
  let directory: string;

  beforeAll(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'fieldgraph-'));
    await writeFile(path.join(directory, 'secret'), 'from-file\n');
    await writeFile(path.join(directory, 'empty'), '\n');
  });
  afterAll(() => rm(directory, { recursive: true }));

  const withFile = (name: string) => ({
    PLATFORM_URL: REMOTE.PLATFORM_URL,
    PLATFORM_KEY: 'k',
    PLATFORM_SECRET_FILE: path.join(directory, name),
  });

  it('is read without its line end', () => {
    expect(readConfig(withFile('secret')).platform).toMatchObject({ key: 'k', secret: 'from-file' });
  });

  it('is followed only in a file that can be read again', () => {
    const platformWith = (name: string) => readConfig(withFile(name)).platform;
    const secretFile = path.join(directory, 'secret');
    expect(platformWith('secret')).toHaveProperty('files', { keyFile: undefined, secretFile });
    const pipe = path.join(directory, 'pipe');
    execFileSync('mkfifo', [pipe]);
    // Lets the writer open the pipe, which waits for a reader.
    const descriptor = openSync(pipe, 'r+');
    execFileSync('sh', ['-c', `exec 9> ${pipe}; { sleep 0.2; printf from-pipe >&9; } &`], {
      stdio: 'ignore',
    });
    closeSync(descriptor);
    const platform = platformWith('pipe');
    expect(platform).toMatchObject({ secret: 'from-pipe' });
    expect(platform).not.toHaveProperty('files');
  });

  it('is reported once where the file is empty or absent', () => {
    expect(problemsOf(withFile('empty'))).toEqual(['PLATFORM_SECRET_FILE: is empty.']);
    expect(problemsOf(withFile('none'))).toEqual([
      expect.stringMatching(/^PLATFORM_SECRET_FILE: can't be read/),
    ]);
  });

  it.each(['PLATFORM_KEY_FILE', 'PLATFORM_SECRET_FILE', 'REDIS_URL_FILE', 'OTEL_EXPORTER_OTLP_HEADERS_FILE'])(
    'is not shown if %s is the secret instead of a path',
    (name) => {
      const problems = problemsOf({ ...REMOTE, [name]: 'redis://:hidden@host' });
      expect(problems).toContainEqual(`${name}: can't be read: ENOENT: no such file or directory.`);
      expect(problems.join()).not.toContain('hidden');
    },
  );

  it('can contain the headers for the collector, which are checked like the variable', async () => {
    const file = path.join(directory, 'headers');
    const environment = {
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector.example',
      OTEL_EXPORTER_OTLP_HEADERS_FILE: file,
    };
    await writeFile(file, 'authorization=Bearer%20abc,x-scope=a\n');
    const headers = { authorization: 'Bearer abc', 'x-scope': 'a' };
    expect(readConfig(environment).tracing?.headers).toEqual(headers);
    await writeFile(file, 'hidden');
    expect(problemsOf(environment)).toEqual([
      expect.stringMatching(/^OTEL_EXPORTER_OTLP_HEADERS_FILE: must list pairs such as name=value/),
    ]);
  });

  it('can contain the address of Redis, which is checked like the variable', async () => {
    const file = path.join(directory, 'redis');
    await writeFile(file, 'rediss://user:p%40ss@redis.example:6380/1\n');
    expect(readConfig({ REDIS_URL_FILE: file }).redisUrl).toBe('rediss://user:p%40ss@redis.example:6380/1');
    await writeFile(file, 'redis://user:s3cret/w0rd@redis.example');
    const [problem, ...others] = problemsOf({ REDIS_URL_FILE: file });
    expect(problem).toMatch(/^REDIS_URL_FILE: must be a redis or rediss address/);
    expect(problem).not.toContain('w0rd');
    expect(others).toEqual([]);
    expect(problemsOf({ REDIS_URL_FILE: file, REDIS_URL: 'redis://localhost' })).toEqual([
      expect.stringMatching(/^REDIS_URL_FILE: is set together with REDIS_URL/),
      expect.stringMatching(/^REDIS_URL_FILE: must be a redis/),
    ]);
  });

  it('is refused together with the variable itself', () => {
    expect(problemsOf({ ...withFile('secret'), PLATFORM_SECRET: 'hidden' })).toEqual([
      expect.stringMatching(/^PLATFORM_SECRET_FILE: is set together with PLATFORM_SECRET/),
    ]);
  });
});
