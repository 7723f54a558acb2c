/** `fieldgraph doctor` on broken setups: each is named with its remedy, and no output contains a secret. */
import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { createServer as createTcpServer } from 'node:net';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'libsql';
import { describe, expect, it } from 'vitest';
import { checkDurations } from '../../src/cli/doctor/dataChecks.js';
import { doctorCommand } from '../../src/cli/doctor/doctorCommand.js';
import { checkNode } from '../../src/cli/doctor/nodeCheck.js';
import { checkDescriptors, checkWorkers } from '../../src/cli/doctor/processChecks.js';
import { createApiKey } from '../../src/http/auth/apiKeys.js';
import { systemClock } from '../../src/lib/clock.js';
import { startTestGateway } from '../support/gateway.js';
import { unusableKeySets } from '../support/http/callers.js';
import { startSandbox } from '../support/sandbox/sandbox.js';
import {
  describeFindings,
  directory,
  examine,
  fileWith,
  KEY,
  listen,
  machineNow,
  pem,
  refusing,
  SECRET,
  startPlatform,
  withPlatform,
} from './examineSetUp.js';

describe('a good setup', () => {
  it('has no problem, reads every family of endpoints, and takes few requests', async () => {
    const sandbox = await startSandbox({ siteCount: 2, key: KEY, secret: SECRET });
    const report = await withPlatform(sandbox.url);
    expect(report.ok).toBe(true);
    expect(report.requests).toEqual({ token: 1, rest: 12 });
    expect(describeFindings(report, 'data.rfid')).toMatch(
      /skipped: RFID reads were not checked.*12 REST calls/,
    );
    expect(sandbox.calls.list().every(({ status }) => status < 400 || status === 404)).toBe(true);
    const { message } = report.findings.find(({ check }) => check === 'data.permissions') ?? { message: '' };
    for (const family of [
      'organizations',
      'users',
      'sites',
      'devices',
      'channels',
      'streams',
      'thresholds',
      'samples',
    ]) {
      expect(message).toContain(family);
    }
    const text = await doctorCommand([], {
      environment: { PORT: '0', PLATFORM_URL: sandbox.url, PLATFORM_KEY: KEY, PLATFORM_SECRET: SECRET },
      clock: { now: machineNow },
    });
    expect(text.text).toMatch(/Platform\n {2}ok {6}The REST API responds/);
    expect(text.text).toMatch(/0 problems, \d warnings?\. Token requests: 1\. REST calls: 12\.$/);
    expect(text.text).not.toContain(SECRET);
  });

  it('is the sandbox too, which no platform check touches', async () => {
    const report = await examine({});
    expect(report).toMatchObject({ ok: true, requests: { token: 0, rest: 0 } });
    expect(describeFindings(report, 'data.permissions')).toMatch(/skipped: The sandbox/);
  });

  it('aligns the lines of a problem', async () => {
    const environment = {
      PORT: '0',
      CALLER_AUTH: 'api-key',
      API_KEYS_FILE: fileWith('bare.json', '{"keys":[{}]}'),
    };
    const { text } = await doctorCommand([], { environment, clock: systemClock });
    expect(text).toMatch(/\n {2}PROBLEM API_KEYS_FILE.*\n {10}keys\[0\]\.name .*\n {10}keys\[0\]\.scopes /);
  });

  it('knows wrong options', async () => {
    for (const args of [
      ['--unknown'],
      ['--listeners', 'many'],
      ['--listeners=1', '--listeners=2'],
      ['now'],
    ]) {
      const { kind, exitCode, text } = await doctorCommand(args, { environment: {}, clock: systemClock });
      expect([kind, exitCode]).toEqual(['failed', 2]);
      expect(text).toContain('Usage: fieldgraph doctor');
    }
  });
});

describe('settings', () => {
  it.each<[string, Record<string, string>, string]>([
    ['an invalid number', { PORT: 'many' }, 'settings.PORT'],
    ['a missing key', { PLATFORM_URL: 'http://platform.example' }, 'settings.PLATFORM_KEY'],
    [
      'a credential without an address',
      { PLATFORM_KEY: KEY, PLATFORM_SECRET: SECRET },
      'settings.PLATFORM_URL',
    ],
    ['an address that is not one', { PLATFORM_URL: 'platform' }, 'settings.PLATFORM_URL'],
    [
      'a secret file that is missing',
      { PLATFORM_URL: 'http://a.example', PLATFORM_SECRET_FILE: '/none' },
      'settings.PLATFORM_SECRET_FILE',
    ],
    ['an open gateway off loopback', { HOST: '0.0.0.0' }, 'settings.HOST'],
    ['a JWT issuer that is missing', { CALLER_AUTH: 'jwt' }, 'settings.JWT_ISSUER'],
    ['an address of another protocol', { PLATFORM_URL: 'ftp://a.example' }, 'settings.PLATFORM_URL'],
    ['a password in the address', { PLATFORM_URL: `http://me:${SECRET}@a.example` }, 'settings.PLATFORM_URL'],
    [
      'a secret file without a secret',
      { PLATFORM_URL: 'http://a.example', PLATFORM_KEY: KEY, PLATFORM_SECRET_FILE: fileWith('empty', '\n') },
      'settings.PLATFORM_SECRET_FILE',
    ],
  ])('%s is a problem, and the rest is skipped', async (_, environment, check) => {
    const report = await examine(environment);
    expect(describeFindings(report, check)).toContain('problem: ');
    for (const name of ['platform.address', 'data.permissions', 'tracing.collector'])
      expect(describeFindings(report, name)).toContain('skipped: ');
    expect(report.requests).toEqual({ token: 0, rest: 0 });
  });
});

it.each<[string, Record<string, string>, string]>([
  ['missing', { CALLER_AUTH: 'api-key' }, 'Set API_KEYS_FILE. `fieldgraph start --help` describes'],
  ['invalid', { API_KEYS_FILE: '{}' }, 'Change API_KEYS_FILE. `fieldgraph start --help` describes'],
  ['a file that can not be read', { REDIS_URL_FILE: '/none' }, 'Name in REDIS_URL_FILE a file that the user'],
  [
    'an empty file',
    { REDIS_URL_FILE: fileWith('blank', ' ') },
    'Write the value into the file that REDIS_URL_FILE names.',
  ],
])('the remedy of a setting that is %s names it', async (_, environment, remedy) => {
  const { findings } = await examine(environment);
  expect(findings.find(({ status }) => status === 'problem')?.remedy).toContain(remedy);
});

it('a misspelled name is a warning, with valid settings and with others', async () => {
  for (const others of [{}, { PORT: 'many' }]) {
    const report = await examine({ REDIS_URI: `redis://:${SECRET}@localhost`, ...others });
    expect(describeFindings(report, 'settings.names')).toMatch(
      /warning: REDIS_URI is not a setting. Did you mean REDIS_URL\?/,
    );
  }
});

it('a secret file that is missing is one problem', async () => {
  const environment = { PLATFORM_URL: 'http://a.example', PLATFORM_KEY: KEY, PLATFORM_SECRET_FILE: '/none' };
  const { findings } = await examine(environment);
  expect(findings.filter(({ status }) => status === 'problem')).toHaveLength(1);
});

const portOf = (url: string) => new URL(url).port;

describe('the machine', () => {
  it('names a port that another program uses, and a gateway that already runs', async () => {
    const other = await listen(createHttpServer((_, response) => response.writeHead(404).end()));
    const healthy = await refusing(200, { status: 'ok' });
    for (const port of [String(other), portOf(healthy)]) {
      expect(describeFindings(await examine({ PORT: port }), 'process.port')).toMatch(
        /problem: .*Another program uses port/,
      );
    }
    const gateway = await startTestGateway({ sandbox: { siteCount: 1 } });
    expect(describeFindings(await examine({ PORT: portOf(gateway.url) }), 'process.port')).toBe('');
  });

  it('names a gateway with TLS that already runs', async () => {
    const file = fileURLToPath(new URL('../support/http/testCertificate.pem', import.meta.url));
    const tls = { certFile: file, keyFile: file };
    const gateway = await startTestGateway({ sandbox: { siteCount: 1 }, gateway: { tls } });
    const report = await examine({ PORT: portOf(gateway.url), TLS_CERT_FILE: file, TLS_KEY_FILE: file });
    expect(describeFindings(report, 'process.port')).toBe('');
  });

  it('names trusted proxies that include every address', async () => {
    const proxies = async (TRUSTED_PROXIES: string) =>
      describeFindings(await examine({ TRUSTED_PROXIES }), 'process.proxies');
    expect(await proxies('10.0.0.0/8')).toBe('');
    expect(await proxies('fc00::/7,fe80::/10,::1')).toBe('');
    expect(await proxies('10.0.0.0/8,0.0.0.0/0')).toMatch(/warning: .*every address in 0\.0\.0\.0\/0:/);
    expect(await proxies('0.0.0.0/1,128.0.0.0/1')).toMatch(
      /every address in 0\.0\.0\.0\/1, 128\.0\.0\.0\/1:/,
    );
    expect(await proxies('::/1,8000::/1')).toMatch(/every address in ::\/1, 8000::\/1:/);
    expect(await proxies('::ffff:10.0.0.0/104')).toBe('');
    expect(await proxies('::ffff:0:0/96')).toMatch(/every address in ::ffff:0:0\/96:/);
    expect(await proxies('2000::/3')).toMatch(/every address in 2000::\/3:/);
  });

  it('names files that it can not use', async () => {
    expect(describeFindings(await examine({ SANDBOX_DB: '/none/file' }), 'platform.sandbox')).toMatch(
      /problem: SANDBOX_DB/,
    );
    expect(
      describeFindings(await examine({ NODE_EXTRA_CA_CERTS: '/none' }), 'settings.NODE_EXTRA_CA_CERTS'),
    ).toMatch(/problem: /);
    // Node.js ignores a certificate that is not PEM.
    const der = path.join(directory, 'ca.der');
    writeFileSync(der, new X509Certificate(pem).raw);
    expect(
      describeFindings(await examine({ NODE_EXTRA_CA_CERTS: der }), 'settings.NODE_EXTRA_CA_CERTS'),
    ).toMatch(/problem: .*PEM/);
    // Node.js ignores the certificates after an unreadable one.
    const bundle = (name: string, end: string) =>
      examine({ NODE_EXTRA_CA_CERTS: fileWith(name, `${pem}${end}`) });
    const damaged = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n';
    expect(describeFindings(await bundle('damaged.pem', damaged), 'settings.NODE_EXTRA_CA_CERTS')).toMatch(
      /problem: .*every certificate/,
    );
    expect(describeFindings(await bundle('ca.pem', 'End.'), 'settings.NODE_EXTRA_CA_CERTS')).toBe('');
  });

  it('names a file that is not a database of the sandbox', async () => {
    const file = (name: string, text: string) =>
      examine({ SANDBOX_DB: fileWith(name, text) }).then((report) =>
        describeFindings(report, 'platform.sandbox'),
      );
    expect(await file('notes.db', 'Not a database, but longer.')).toMatch(
      /problem: .*not a database.*new file/,
    );
    expect(await file('short.db', 'text')).toMatch(/problem: .*not a database/);
    expect(await file('new.db', '')).toBe('');
    expect(await file('damaged.db', 'SQLite format 3\0 and its pages')).toMatch(/problem: .*not a database/);
    const other = path.join(directory, 'other.db');
    const foreign = new Database(other);
    foreign.exec('CREATE TABLE note (id INTEGER)');
    foreign.close();
    expect(describeFindings(await examine({ SANDBOX_DB: other }), 'platform.sandbox')).toMatch(
      /problem: .*another program/,
    );
    const own = path.join(directory, 'own.db');
    const sandbox = await startSandbox({ databaseFile: own, siteCount: 1, historyDays: 1 });
    await sandbox.close();
    expect(describeFindings(await examine({ SANDBOX_DB: own }), 'platform.sandbox')).toBe('');
    expect(describeFindings(await examine({ SANDBOX_DB: directory }), 'platform.sandbox')).toMatch(
      /problem: .* is a folder\./,
    );
    const device = await examine({ SANDBOX_DB: '/dev/null' });
    expect(describeFindings(device, 'platform.sandbox')).toMatch(/problem: .* is not a regular file\./);
  });

  it('names a port of the sandbox that is in use', async () => {
    const ofSandbox = async (environment: Record<string, string>) =>
      describeFindings(await examine(environment), 'platform.sandbox');
    const taken = String(await listen(createHttpServer((_, response) => response.writeHead(404).end())));
    expect(await ofSandbox({ SANDBOX_PORT: taken })).toMatch(/problem: .*EADDRINUSE.*SANDBOX_PORT/);
    expect(await ofSandbox({ SANDBOX_PORT: taken, PORT: taken })).toMatch(/problem: PORT and SANDBOX_PORT/);
    const gateway = await startTestGateway({ sandbox: { siteCount: 1 } });
    expect(await ofSandbox({ SANDBOX_PORT: taken, PORT: portOf(gateway.url) })).toBe('');
    expect(await ofSandbox({ SANDBOX_PORT: '0' })).toBe('');
  });

  it('names a port that the gateway and the sandbox would share', async () => {
    const port = String(await listen(createHttpServer((_, response) => response.writeHead(404).end())));
    const ofSandbox = async (HOST: string) =>
      describeFindings(
        await examine({ HOST, PORT: port, SANDBOX_PORT: port, CALLER_AUTH_OPEN: 'yes-really' }),
        'platform.sandbox',
      );
    expect(await ofSandbox('127.0.0.1')).toMatch(/PORT and SANDBOX_PORT are both/);
    expect(await ofSandbox('0.0.0.0')).toMatch(/PORT and SANDBOX_PORT are both/);
    expect(await ofSandbox('127.0.0.2')).toMatch(/can't listen on port \d+ \(EADDRINUSE\)/);
  });

  it('names trust that is missing or too large, also if the settings are not usable', async () => {
    const report = await examine({
      PORT: 'x',
      NODE_TLS_REJECT_UNAUTHORIZED: '0',
      NODE_EXTRA_CA_CERTS: '/none',
    });
    expect(describeFindings(report, 'settings.NODE_TLS_REJECT_UNAUTHORIZED')).toMatch(/problem: /);
    expect(describeFindings(report, 'settings.NODE_EXTRA_CA_CERTS')).toMatch(/problem: /);
  });

  it('names certificates that are not checked', async () => {
    const check = 'settings.NODE_TLS_REJECT_UNAUTHORIZED';
    const toldWith = async (value: string) =>
      describeFindings(await examine({ NODE_TLS_REJECT_UNAUTHORIZED: value }), check);
    expect(await toldWith('0')).toMatch(/problem: .*secret.*NODE_EXTRA_CA_CERTS/);
    expect(await toldWith('1')).toBe('');
  });

  it('names an address that the machine does not have', async () => {
    const environment = { HOST: '203.0.113.1', CALLER_AUTH_OPEN: 'yes-really' };
    expect(describeFindings(await examine(environment), 'process.port')).toMatch(/problem: .*EADDRNOTAVAIL/);
  });

  it('names an old Node.js and too few file descriptors', () => {
    expect(checkNode('20.18.3')).toMatchObject({
      status: 'problem',
      remedy: expect.stringContaining('20.19'),
    });
    expect(checkNode('20.19.0').status).toBe('ok');
    expect(checkNode('22.1.0').status).toBe('ok');
    expect(checkDescriptors(1024, 10_000)).toMatchObject({
      status: 'warning',
      remedy: expect.stringContaining('ulimit'),
    });
    expect(checkDescriptors(undefined, 10_000).status).toBe('ok');
    expect(checkWorkers(64, 2)).toMatchObject([
      { status: 'warning', remedy: expect.stringContaining('auto') },
    ]);
    expect(checkWorkers(2, 2)).toEqual([]);
  });
});

describe('the certificate of the gateway', () => {
  const file = fileURLToPath(new URL('../support/http/testCertificate.pem', import.meta.url));
  const renewed = fileURLToPath(new URL('../support/http/renewedCertificate.pem', import.meta.url));
  const files = { TLS_CERT_FILE: file, TLS_KEY_FILE: file };
  const validTo = Date.parse(new X509Certificate(pem).validTo);
  const at = (time: number) => examine(files, { aheadMs: time - machineNow() });

  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const rsaKeyFile = fileWith('rsa.key', privateKey.export({ format: 'pem', type: 'pkcs8' }).toString());

  it('has other names than PUBLIC_HOSTS', async () => {
    const named = (PUBLIC_HOSTS: string) => examine({ ...files, PUBLIC_HOSTS });
    expect(describeFindings(await named('gateway.invalid:8443'), 'process.certificate')).toMatch(
      /warning: .*gateway\.invalid\./,
    );
  });

  it('is valid, expires soon, is expired, or not yet valid', async () => {
    const day = 86_400_000;
    expect(describeFindings(await at(validTo - 15 * day), 'process.certificate')).toBe('');
    expect(describeFindings(await at(validTo - 13 * day), 'process.certificate')).toMatch(
      /warning: .*expires on.*Renew/,
    );
    expect(describeFindings(await at(validTo + day), 'process.certificate')).toMatch(
      /problem: .*expired on.*Renew/,
    );
    expect(describeFindings(await at(0), 'process.certificate')).toMatch(/problem: .*valid from.*clock/);
  });

  it.each([
    ['is missing', '/none.pem', /ENOENT/],
    ['is no certificate', fileWith('no-certificate', 'text'), /not a certificate and a private key in PEM/],
    ['belongs to another key', renewed, /key does not belong to the first certificate/],
    ['belongs to a key of another type', file, /key does not belong to the first certificate/, rsaKeyFile],
    [
      'is being written',
      fileWith('half-certificate', `${pem}`.slice(`${pem}`.indexOf('-----BEGIN CERTIFICATE'), -40)),
      /are incomplete, or are swapped/,
    ],
    ['is empty', fileWith('empty-certificate', ''), /One of the files is empty/],
    ['has an empty key', file, /One of the files is empty/, fileWith('empty-key', '')],
    [
      'has a file without a key',
      file,
      /not a certificate and a private key in PEM/,
      fileWith('no-key', '\n'),
    ],
    [
      'has the key itself in the setting',
      file,
      /TLS_CERT_FILE and TLS_KEY_FILE can't be used: The setting has the content of a file/,
      `-----BEGIN PRIVATE KEY-----\\n${SECRET}`,
    ],
  ])('%s', async (_, certFile, message, keyFile = file) => {
    const report = await examine({ TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile });
    expect(describeFindings(report, 'process.certificate')).toMatch(message);
    expect(report.ok).toBe(false);
  });
});

describe('the address of the platform', () => {
  it('is http, where others can read the secret', async () => {
    const ofTls = async (url: string) => describeFindings(await withPlatform(url), 'platform.tls');
    expect(await ofTls('http://no-such-host.invalid')).toMatch(/warning: PLATFORM_URL is http.*https/);
    expect(await ofTls('https://no-such-host.invalid')).toBe('');
    expect(await ofTls(await startPlatform(() => undefined))).toBe('');
  });

  const tcp = (result: string) =>
    listen(
      createTcpServer((socket) => {
        socket.on('error', () => undefined);
        socket.end(result);
      }),
    );

  it.each<[string, () => Promise<string>, string, RegExp]>([
    [
      'has no such host',
      async () => 'http://no-such-host.invalid',
      'platform.address',
      /can't be resolved.*DNS/,
    ],
    [
      'has no listener',
      async () => 'http://127.0.0.1:1',
      'platform.address',
      /Nothing listens.*host and port/,
    ],
    [
      'has a certificate that is not trusted',
      async () => `https://127.0.0.1:${await listen(createHttpsServer({ key: pem, cert: pem }))}`,
      'platform.tls',
      /not trusted.*NODE_EXTRA_CA_CERTS/,
    ],
    [
      'speaks no TLS',
      async () => `https://127.0.0.1:${await listen(createHttpServer())}`,
      'platform.tls',
      /does not speak TLS.*http:/,
    ],
    [
      'speaks no HTTP',
      async () => `http://127.0.0.1:${await tcp('SSH-2.0-server\r\n')}`,
      'platform.address',
      /does not speak HTTP/,
    ],
    [
      'sends invalid headers',
      async () => `http://127.0.0.1:${await tcp('HTTP/1.1 200 OK\r\nA header: 1\r\n\r\n')}`,
      'platform.address',
      /not valid HTTP.*proxy/,
    ],
    [
      'sends a very long response',
      async () => `http://127.0.0.1:${await tcp('HTTP/1.1 200 OK\r\nContent-Length: 70000000\r\n\r\n')}`,
      'platform.address',
      /more than 64 MB.*PLATFORM_URL/,
    ],
    [
      'closes the connection',
      async () => `http://127.0.0.1:${await tcp('')}`,
      'platform.address',
      /closed the connection/,
    ],
    [
      'redirects',
      () => refusing(301, '', { Location: 'https://www.platform.example/auth/token' }),
      'platform.address',
      /redirects to www\.platform\.example.*Set PLATFORM_URL/,
    ],
    [
      'redirects to https',
      () => refusing(308, '', { Location: `https://me:${SECRET}@platform.example:443/api/auth/token?a=b` }),
      'platform.address',
      /redirects to platform\.example; .*Set PLATFORM_URL to https:\/\/platform\.example\/api\.$/,
    ],
    [
      'redirects to itself',
      () =>
        startPlatform((requested, request, response) => {
          response.writeHead(308, { Location: `http://${request.headers.host}${requested}?a=b` }).end();
          return 'responded';
        }),
      'platform.address',
      /redirects to the same address.*Check what is between.*requires https\.$/,
    ],
    [
      'redirects to another path of its host',
      () => refusing(308, '', { Location: '/api/auth/token' }),
      'platform.address',
      /redirects to 127\.0\.0\.1:\d+; .*Set PLATFORM_URL to http:\/\/127\.0\.0\.1:\d+\/api\.$/,
    ],
    [
      'is behind a portal with a login',
      () => refusing(302, '', { Location: 'https://portal.example/login' }),
      'platform.address',
      /redirects to portal\.example.*portal\.$/,
    ],
    [
      'issues no tokens for a key and a secret',
      () => refusing(400, { error: 'unsupported_grant_type' }),
      'platform.address',
      /for a key and a secret.*PLATFORM_URL/,
    ],
    [
      'is a web page',
      () => refusing(200, '<html></html>', { 'Content-Type': 'text/html' }),
      'platform.address',
      /web page.*PLATFORM_URL.*captive portal/,
    ],
    [
      'is behind a network that requires a login',
      () => refusing(511, '<html></html>', { 'Content-Type': 'text/html' }),
      'platform.address',
      /web page \(status 511\).*captive portal/,
    ],
    [
      'has no token endpoint',
      () => refusing(404, { message: 'Not found' }),
      'platform.address',
      /no token endpoint.*\/v2\.0/,
    ],
    [
      'responds without a token',
      () => refusing(200, { hello: 'world' }),
      'platform.address',
      /without a token/,
    ],
    ['is down', () => refusing(503, {}), 'platform.address', /status 503.*later/],
    [
      'serves TLS, and is called without',
      async () => `http://127.0.0.1:${await listen(createHttpsServer({ key: pem, cert: pem }))}`,
      'platform.address',
      /closed the connection.*https:\/\//,
    ],
    [
      'is a proxy with a login',
      () => refusing(407, {}),
      'platform.address',
      /proxy that requires a login.*PLATFORM_URL.*Check what is between/,
    ],
    ['is a page without a type', () => refusing(200, '<!doctype html>'), 'platform.address', /web page/],
    ['creates tokens', () => refusing(201, { access_token: 't' }), 'platform.address', /201 instead of 200/],
    ['has no content', () => refusing(204, ''), 'platform.address', /204 instead of 200/],
    [
      'issues numbers',
      () => refusing(200, { access_token: 1 }),
      'platform.token',
      /The token is not a string/,
    ],
    [
      'issues an empty token',
      () => refusing(200, { access_token: '' }),
      'platform.address',
      /without a token/,
    ],
    [
      'responds with JSON that is cut off',
      () => refusing(200, '{"access_token":"abc'),
      'platform.address',
      /not JSON, or is incomplete.*proxy/,
    ],
    ['issues no token', () => refusing(200, { access_token: null }), 'platform.address', /without a token/],
    [
      'issues lines',
      () => refusing(200, { access_token: `${SECRET}\n` }),
      'platform.token',
      /characters that an HTTP header cannot contain/,
    ],
    [
      'issues a very long token',
      () => refusing(200, { access_token: 'a'.repeat(16_385) }),
      'platform.token',
      /The token has more than 16384 characters/,
    ],
    [
      'issues a token with its type',
      () => refusing(200, { access_token: 'Bearer token' }),
      'platform.token',
      /The token contains white space/,
    ],
    [
      'compresses badly',
      () => refusing(200, 'text', { 'Content-Encoding': 'gzip' }),
      'platform.address',
      /can't be decompressed.*proxy/,
    ],
    [
      'refuses with a page',
      () => refusing(401, '<html>', { 'Content-Type': 'text/html' }),
      'platform.credential',
      /status 401.*web page, so a proxy or a captive portal/,
    ],
    [
      'refuses with status 200',
      () => refusing(200, { error: 'invalid_client', error_description: 'Bad secret' }),
      'platform.secret',
      /refuses the secret/,
    ],
    [
      'is behind a firewall that responds',
      () => refusing(403, '<html></html>', { 'Content-Type': 'text/html' }),
      'platform.address',
      /web page \(status 403\).*firewall/,
    ],
    [
      'gets http at its port for https',
      () => refusing(400, '<html>plain HTTP</html>', { 'Content-Type': 'text/html' }),
      'platform.address',
      /web page \(status 400\).*https:\/\//,
    ],
  ])('%s', async (_, start, check, message) => {
    const report = await withPlatform(await start());
    expect(describeFindings(report, check)).toMatch(message);
    expect(report.ok).toBe(false);
    expect(describeFindings(report, 'data.permissions')).toContain('skipped: ');
  });

  it('is that of the gateway, which does not run', async () => {
    const server = createHttpServer();
    const PORT = String(await listen(server));
    await new Promise((resolve) => server.close(resolve));
    const report = await withPlatform(`http://127.0.0.1:${PORT}`, { PORT });
    expect(describeFindings(report, 'platform.address')).toMatch(/Nothing listens/);
    expect(describeFindings(report, 'process.port')).toBe('');
  });

  describe('without a credential of the gateway', () => {
    const withCallers = async (url: string) => {
      const report = await examine({ PLATFORM_URL: url, CALLER_AUTH: 'platform' });
      expect(report.requests).toEqual({ token: 0, rest: 1 });
      expect(describeFindings(report, 'platform.credential')).toMatch(/skipped: Callers send their own/);
      expect(describeFindings(report, 'data.permissions')).toMatch(/skipped: .*no credential/);
      return report;
    };

    it('is checked by a call that the platform refuses', async () => {
      const sandbox = await startSandbox({ siteCount: 1 });
      const { ok, findings } = await withCallers(sandbox.url);
      expect(ok).toBe(true);
      expect(findings).toContainEqual(expect.objectContaining({ check: 'platform.address', status: 'ok' }));
    });

    it.each<[string, () => Promise<string>, string, RegExp]>([
      ['has no listener', async () => 'http://127.0.0.1:1', 'platform.address', /Nothing listens/],
      [
        'has a certificate that is not trusted',
        async () => `https://127.0.0.1:${await listen(createHttpsServer({ key: pem, cert: pem }))}`,
        'platform.tls',
        /not trusted/,
      ],
      [
        'is a web page',
        () => refusing(200, '<html>', { 'Content-Type': 'text/html' }),
        'platform.address',
        /web page, status 200.*PLATFORM_URL/,
      ],
      ['redirects', () => refusing(302, ''), 'platform.address', /status 302.*portal/],
      [
        'is behind a proxy with a login',
        () => refusing(401, '<html>', { 'Content-Type': 'text/html' }),
        'platform.address',
        /status 401; the REST API refuses it with 401 and a message in JSON/,
      ],
      [
        'is behind a network that requires a login',
        () => refusing(511, '<html>', { 'Content-Type': 'text/html' }),
        'platform.address',
        /web page, status 511.*portal/,
      ],
      ['has no REST API', () => refusing(404, { message: 'None' }), 'platform.address', /status 404.*v2\.0/],
      ['is down', () => refusing(503, {}), 'platform.address', /status 503.*later/],
    ])('%s', async (_, start, check, message) => {
      const report = await withCallers(await start());
      expect(describeFindings(report, check)).toMatch(message);
      expect(report.ok).toBe(false);
    });
  });

  it('is hidden by a proxy that the gateway does not use', async () => {
    const report = await withPlatform(await startPlatform(() => undefined), {
      HTTPS_PROXY: 'http://proxy:3128',
    });
    expect(describeFindings(report, 'platform.proxy')).toMatch(/warning: HTTPS_PROXY is set/);
    expect(report.ok).toBe(true);
    for (const [NO_PROXY, name] of [
      ['localhost, 127.0.0.1', ''],
      ['*', ''],
      ['.0.0.1', ''],
      ['27.0.0.1,example.com', 'warning: HTTPS_PROXY'],
    ] as const) {
      const HTTPS_PROXY = 'http://proxy:3128';
      const excepted = await withPlatform(await startPlatform(() => undefined), { HTTPS_PROXY, NO_PROXY });
      expect(describeFindings(excepted, 'platform.proxy')).toMatch(name === '' ? /^$/ : name);
    }
    const named = (await startPlatform(() => undefined)).replace('127.0.0.1', 'localhost');
    const inCapitals = await withPlatform(named, { HTTPS_PROXY: 'http://proxy:3128', NO_PROXY: 'LocalHost' });
    expect(describeFindings(inCapitals, 'platform.proxy')).toBe('');
    const proxies = { HTTP_PROXY: 'http://proxy:3128', all_proxy: 'socks5://proxy:1080' };
    const both = await withPlatform(await startPlatform(() => undefined), proxies);
    expect(describeFindings(both, 'platform.proxy')).toMatch(/warning: HTTP_PROXY, all_proxy are set/);
  });
});

describe('the credential', () => {
  it('is refused without a reason', async () => {
    const sandbox = await startSandbox({ siteCount: 1, key: KEY, secret: 'another' });
    expect(describeFindings(await withPlatform(sandbox.url), 'platform.credential')).toMatch(
      /PLATFORM_KEY and PLATFORM_SECRET/,
    );
  });

  it.each<[string, Record<string, string>, string, RegExp]>([
    ['a key in quotation marks', { PLATFORM_KEY: '"abc"' }, 'platform.key', /quotation marks/],
    ['a key with a typographic dash', { PLATFORM_KEY: 'a–b' }, 'platform.key', /not ASCII/],
    ['JSON', { PLATFORM_KEY: '{"key":"a"}' }, 'platform.key', /is JSON/],
    [
      'a line of a file of settings',
      { PLATFORM_SECRET: `SECRET=${SECRET}` },
      'platform.secret',
      /begins with a name/,
    ],
    ['a key with white space', { PLATFORM_KEY: 'a b' }, 'platform.key', /white space/],
    [
      'a secret from a file in UTF-16',
      { PLATFORM_SECRET: '\ufffda\0b\0' },
      'platform.secret',
      /not in UTF-8/,
    ],
    ['a placeholder', { PLATFORM_KEY: '<key>' }, 'platform.key', /placeholder/],
    ['a word for a key', { PLATFORM_KEY: 'your-key' }, 'platform.key', /placeholder/],
    ['crosses', { PLATFORM_SECRET: 'XXXX' }, 'platform.secret', /placeholder/],
    ['a path', { PLATFORM_SECRET: '/run/secrets/platform' }, 'platform.secret', /path of a file.*_FILE/],
    ['a key with a colon', { PLATFORM_KEY: 'a:b' }, 'platform.key', /colon/],
    [
      'a key that is the secret',
      { PLATFORM_KEY: 'same', PLATFORM_SECRET: 'same' },
      'platform.secret',
      /the same/,
    ],
  ])('is %s', async (_, credential, check, message) => {
    const url = await refusing(401, { message: 'Unauthorized' });
    expect(describeFindings(await withPlatform(url, credential), check)).toMatch(message);
  });

  it.each([
    ['Unknown client.', 'platform.key', /does not know the key/],
    ['Client not found.', 'platform.key', /does not know the key/],
    ['Invalid API key.', 'platform.key', /does not know the key/],
    ['Invalid secret.', 'platform.secret', /refuses the secret/],
  ])('has a key or a secret that the platform names as wrong: %s', async (message, check, expected) => {
    expect(describeFindings(await withPlatform(await refusing(401, { message })), check)).toMatch(expected);
  });

  it('is named by the settings that contain it', async () => {
    const environment = {
      PLATFORM_URL: await refusing(401, { message: 'Invalid secret.' }),
      PLATFORM_KEY: KEY,
      PLATFORM_SECRET_FILE: fileWith('wrong', 'wrong'),
    };
    expect(describeFindings(await examine(environment), 'platform.secret')).toContain(
      'Correct PLATFORM_SECRET_FILE.',
    );
    const general = { ...environment, PLATFORM_URL: await refusing(401, { message: 'Unauthorized' }) };
    expect(describeFindings(await examine(general), 'platform.credential')).toContain(
      'Check PLATFORM_KEY and PLATFORM_SECRET_FILE:',
    );
  });

  it.each([
    ['Client authentication failed (e.g., unknown client)'],
    ['Invalid client'],
    ['Invalid key or secret'],
    ['Invalid credentials for key abc'],
    ['Invalid or disabled client'],
  ])('has a key or a secret that is wrong, and the platform says neither: %s', async (message) => {
    const report = await withPlatform(await refusing(401, { message }));
    expect(describeFindings(report, 'platform.credential')).toMatch(/does not say whether/);
  });

  it.each(['User account is locked', 'API client disabled', 'The API key has expired'])(
    'is not active: %s',
    async (message) => {
      const report = await withPlatform(await refusing(401, { message }));
      expect(describeFindings(report, 'platform.credential')).toMatch(/not active \(status 401\)/);
      expect(describeFindings(report, 'platform.key')).toBe('');
    },
  );

  it.each(['IP address 192.0.2.1 is not allowed', 'Client is not in the allowlist'])(
    'is refused for the address of the machine: %s',
    async (message) => {
      const report = await withPlatform(await refusing(403, { message }));
      expect(describeFindings(report, 'platform.address')).toMatch(/address of this machine.*administrator/);
      expect(describeFindings(report, 'platform.credential')).toBe('');
    },
  );

  it('has used up its token requests', async () => {
    const url = await refusing(429, {}, { 'Retry-After': '120' });
    expect(describeFindings(await withPlatform(url), 'platform.tokens')).toMatch(/for 120 s.*used up/);
    const date = new Date(machineNow() + 300_000).toUTCString();
    const dated = await refusing(429, {}, { 'Retry-After': date });
    expect(describeFindings(await withPlatform(dated), 'platform.tokens')).toMatch(/for (300|29\d) s: /);
    const past = await refusing(429, {}, { 'Retry-After': new Date(0).toUTCString() });
    expect(describeFindings(await withPlatform(past), 'platform.tokens')).toMatch(
      /accepts no token request: /,
    );
  });

  it.each<[unknown, RegExp | '']>([
    [0, /warning: .*expires_in: 0\).*for an hour/],
    [-1, /expires_in: -1/],
    ['soon', /expires_in: "soon"/],
    [SECRET, /expires_in: …/],
    [undefined, /expires_in: absent/],
    [5, /valid for only 5 s/],
    ['3600', ''],
    [86_400, ''],
  ])('gets a token with the lifetime %j', async (expires_in, message) => {
    const url = await startPlatform((requested) =>
      requested === '/auth/token' ? [200, { access_token: 'token', expires_in }] : undefined,
    );
    const report = await withPlatform(url);
    expect(report.ok).toBe(true);
    if (message === '') expect(describeFindings(report, 'platform.token')).toBe('');
    else expect(describeFindings(report, 'platform.token')).toMatch(message);
  });

  it('is used on a machine with a wrong clock', async () => {
    const environment = {
      PLATFORM_URL: await startPlatform(() => undefined),
      PLATFORM_KEY: KEY,
      PLATFORM_SECRET: SECRET,
    };
    for (const [aheadMs, word] of [
      [600_000, 'ahead of'],
      [-600_000, 'behind'],
    ] as const) {
      expect(describeFindings(await examine(environment, { aheadMs }), 'platform.clock')).toMatch(
        new RegExp(`problem: .*s ${word}`),
      );
    }
  });
});

describe('the data', () => {
  it.each<[string, string, [number, unknown], string, RegExp]>([
    [
      'sites that it may not read',
      '/v2.0/site',
      [403, {}],
      'data.permissions',
      /problem: .*may not read sites/,
    ],
    [
      'a firewall in between',
      '/v2.0/site',
      [403, '<html>'],
      'data.permissions',
      /problem: .*sites is a web page \(status 403\).*proxy/,
    ],
    [
      'thresholds that it may not read',
      '/v2.0/stream/7/threshold',
      [403, {}],
      'data.permissions',
      /problem: .*thresholds/,
    ],
    [
      'samples that it may not read',
      '/v2.0/stream/7/sample/last',
      [403, {}],
      'data.permissions',
      /problem: .*may not read samples \(status 403\)/,
    ],
    [
      'RFID reads that the account lacks',
      '/v2.0/sample/rfid/batch/status',
      [403, {}],
      'data.permissions',
      /warning: .*RFID/,
    ],
    [
      'a quota that is used up',
      '/v2.0/stream',
      [429, {}],
      'data.permissions',
      /problem: .*quota of calls for streams/,
    ],
    [
      'an endpoint that fails',
      '/v2.0/user',
      [500, {}],
      'data.permissions',
      /problem: .*users has status 500/,
    ],
    [
      'a token that it does not accept',
      '/v2.0/site',
      [401, {}],
      'data.permissions',
      /problem: .*does not accept the token.*for sites.*other data is readable.*permission.*different platforms/,
    ],
    [
      'JSON that is not a list',
      '/v2.0/site',
      [200, { sites: [] }],
      'data.permissions',
      /problem: .*sites is JSON, but not a list.*other data is readable.*support/,
    ],
    [
      'an error with status 200',
      '/v2.0/stream/7/threshold',
      [200, { message: 'Something went wrong.' }],
      'data.permissions',
      /problem: .*thresholds is an error/,
    ],
    [
      'rows without ids',
      '/v2.0/site',
      [200, [{ Number: 1 }]],
      'data.permissions',
      /problem: .*sites has rows without ids/,
    ],
    ['rows in Pascal case', '/v2.0/site', [200, [{ Id: 1 }]], 'data.permissions', /^$/],
    ['half a list', '/v2.0/site', [200, '[{"id":1},'], 'data.permissions', /problem: .*sites .*incomplete/],
    [
      'a list that does not exist',
      '/v2.0/site',
      [404, {}],
      'data.permissions',
      /problem: .*sites has status 404.*other data is readable.*support.*PLATFORM_URL/,
    ],
    [
      'a redirection to a page',
      '/v2.0/site',
      [302, '<html>'],
      'data.permissions',
      /problem: .*sites has status 302.*portal/,
    ],
    [
      'a portal in between',
      '/v2.0/channel',
      [200, '<html>'],
      'data.permissions',
      /problem: .*channels.*not JSON/,
    ],
    [
      'a list with rows that the gateway leaves out',
      '/v2.0/site',
      [200, [{ id: 1 }, { display_name: 'A site' }]],
      'data.rows',
      /warning: 1 of 2 rows in the list of all sites have no id/,
    ],
    [
      'a truncated list',
      '/v2.0/channel',
      [200, Array.from({ length: 10_000 }, (_, id) => ({ id }))],
      'data.lists',
      /warning: .*channels/,
    ],
    ...[404, 200].map((status): [string, string, [number, unknown], string, RegExp] => [
      `a queue that nobody acknowledged, with status ${status}`,
      '/v2.0/sample/batch/status',
      [status, {}],
      'data.queue',
      /warning: .*never acknowledged/,
    ]),
  ])('has %s', async (_, path, result, check, message) => {
    const usual = (requested: string) =>
      requested === '/v2.0/stream' ? ([200, [{ id: 7 }]] as [number, unknown]) : undefined;
    const report = await withPlatform(
      await startPlatform((requested) => (requested === path ? result : usual(requested))),
    );
    expect(describeFindings(report, check)).toMatch(message);
    expect(report.ok).toBe(!message.source.startsWith('problem'));
  });
});

it.each<[string, RequestListener, RegExp]>([
  [
    'ends',
    (_, response) => response.writeHead(200, { 'Content-Length': '9' }).write('[', () => response.destroy()),
    /response for .*sites .*was complete/,
  ],
  [
    'is too long',
    (_, response) => response.writeHead(200, { 'Content-Length': String(65 * 1024 * 1024) }).write('['),
    /sites.*longer than 64 MB/,
  ],
  [
    'is compressed badly',
    (_, response) => response.writeHead(200, { 'Content-Encoding': 'gzip' }).end('text'),
    /sites.*can't be decompressed/,
  ],
  [
    'is not valid HTTP',
    (_, { socket }) => socket?.end('HTTP/1.1 200 OK\r\nContent-Length: 9\r\nContent-Length: 8\r\n\r\n[]'),
    /sites.*not valid HTTP/,
  ],
  [
    'has too long headers',
    (_, response) => response.writeHead(200, { 'X-Long': 'x'.repeat(200_000) }).end('[]'),
    /sites.*not valid HTTP \(UND_ERR_HEADERS_OVERFLOW/,
  ],
])('says that a response %s', async (_, handle, message) => {
  const url = await startPlatform((requested, request, response) => {
    if (requested !== '/v2.0/site') return undefined;
    handle(request, response);
    return 'responded';
  });
  const report = await withPlatform(url);
  expect(describeFindings(report, 'data.permissions')).toMatch(message);
  expect(report.ok).toBe(false);
});

it.each(['samples', 'Samples'])('finds the last sample in a batch with the name %s', async (name) => {
  const url = await startPlatform((requested) =>
    requested === '/v2.0/sample/batch/status' ? [200, { [name]: [{ Id: 7 }] }] : undefined,
  );
  expect(describeFindings(await withPlatform(url), 'data.queue')).toBe('');
});

it.each<[string, RequestListener]>([
  ['a length', (_, response) => response.writeHead(200, { 'Content-Length': '90' })],
  ['chunks', (_, response) => response.writeHead(200)],
])('says that a response with a token, sent with %s, ends early', async (_, writeHead) => {
  const url = await startPlatform((requested, request, response) => {
    if (requested !== '/auth/token') return undefined;
    writeHead(request, response);
    response.write('{"access_', () => response.socket?.end());
    return 'responded';
  });
  const finding = describeFindings(await withPlatform(url), 'platform.address');
  expect(finding).toMatch(/problem: .*ended before the response was complete/);
  expect(finding).not.toMatch(/https:/);
});

it.each<[string, string, [number, unknown], RegExp]>([
  ['null as its samples', '/sample/image/batch', [200, { hasMore: false, samples: null }], /^$/],
  ['no samples', '/sample/image/batch', [200, { hasMore: false }], /^$/],
  [
    'another shape',
    '/sample/image/batch',
    [200, { data: [] }],
    /problem: .*images is JSON, but not a batch\./,
  ],
  ['status 204', '/sample/image/batch', [204, ''], /problem: .*images has status 204/],
  ['status 404', '/sample/image/batch', [404, {}], /warning: .*not have images.*will be null/],
  ['null', '/sample/batch/status', [200, null], /problem: .*the queue of samples is JSON, but not an object/],
  ['null', '/stream/7/sample/last', [200, null], /problem: .*samples is JSON, but not an object/],
  ['a list', '/stream/7/threshold', [200, []], /problem: .*thresholds is JSON, but not an object/],
  ['no levels', '/stream/7/threshold', [200, {}], /^$/],
  ['status 204', '/sample/batch/status', [204, ''], /^$/],
  ['status 204', '/stream/7/sample/last', [204, ''], /^$/],
  ['status 204', '/stream/7/threshold', [204, ''], /^$/],
  ['status 204', '/site', [204, ''], /problem: .*sites has status 204/],
])('judges a response with %s as the gateway does: %s', async (_, path, answer, message) => {
  const url = await startPlatform((requested) => {
    if (requested === `/v2.0${path}`) return answer;
    return requested === '/v2.0/stream' ? [200, [{ id: 7 }]] : undefined;
  });
  const report = await withPlatform(url);
  expect(describeFindings(report, 'data.permissions')).toMatch(message);
  expect(describeFindings(report, 'data.rows')).toBe('');
});

it('names endpoints that take more than a third of the time of an attempt', () => {
  const outcome = (name: string, durationMs: number) => ({ name, durationMs, failure: undefined });
  const outcomes = [outcome('sites', 6000), outcome('users', 400)];
  const namesOf = (attemptTimeoutMs: number) => checkDurations(outcomes, attemptTimeoutMs)[0]?.message;
  expect(checkDurations(outcomes, 15_000)).toMatchObject([
    { status: 'warning', remedy: expect.stringContaining('PLATFORM_TIMEOUT_SECONDS') },
  ]);
  expect(namesOf(15_000)).toMatch(/slowly: sites \(6 s\)\. .*after 15 s\.$/);
  expect(namesOf(1000)).toMatch(/slowly: sites \(6 s\), users \(0\.4 s\)\. .*after 1 s\.$/);
  expect(namesOf(150_000)).toBeUndefined();
});

it.each([
  ['/v2.0/site', 'data.permissions', /No response for sites in time.*PLATFORM_TIMEOUT_SECONDS/],
  ['/auth/token', 'platform.address', /not respond in time.*only slow, raise PLATFORM_TIMEOUT_SECONDS/],
])('names the setting that ends calls to a slow platform: %s', async (path, check, message) => {
  const url = await startPlatform((requested) => (requested === path ? 'responded' : undefined));
  const report = await withPlatform(url, { PLATFORM_TIMEOUT_SECONDS: '2' });
  expect(describeFindings(report, check)).toMatch(message);
});

it('says that a list began, and did not end in time', async () => {
  const url = await startPlatform((requested, _, response) => {
    if (requested !== '/v2.0/site') return undefined;
    response.writeHead(200, { 'Content-Type': 'application/json' }).write('[{"id":1},');
    return 'responded';
  });
  const report = await withPlatform(url, { PLATFORM_TIMEOUT_SECONDS: '2' });
  const finding = describeFindings(report, 'data.permissions');
  expect(finding).toMatch(/response for sites began, but did not end in time.*PLATFORM_TIMEOUT_SECONDS/);
});

it('warns of an account without data, and accepts ids as texts', async () => {
  const accountOf = async (rows: unknown[]) => {
    const url = await startPlatform((requested) => (requested === '/v2.0/device' ? [200, rows] : undefined));
    return withPlatform(url);
  };
  expect(describeFindings(await accountOf([]), 'data.account')).toMatch(/warning: .*no sites.*right account/);
  const report = await accountOf([{ id: '5' }]);
  expect(describeFindings(report, 'data.account')).toBe('');
  expect(report.requests.rest).toBe(11);
});

it.each<[string, [number, unknown], string]>([
  ['an empty list', [200, []], 'Samples and thresholds were not checked'],
  ['a list that it may not read', [403, {}], 'Samples and thresholds were not checked'],
  ['streams', [200, [{ id: 7 }]], ''],
  ['a row without an id before a stream', [200, [{ name: 'a' }, { id: 7 }]], ''],
])('says what a call for a stream would have checked, with %s', async (_, answer, message) => {
  const url = await startPlatform((requested) => {
    if (requested === '/v2.0/device') return [200, [{ id: 5 }]];
    return requested === '/v2.0/stream' ? answer : undefined;
  });
  const details = describeFindings(await withPlatform(url), 'data.details');
  expect(details).toMatch(message === '' ? /^$/ : new RegExp(`^skipped: ${message}[^\\n]*$`));
  const empty = await withPlatform(await startPlatform(() => undefined));
  expect(describeFindings(empty, 'data.details')).toMatch(/skipped: Device health was not checked/);
});

it.each([401, 403])('says that a token is refused for all data, with status %i', async (status) => {
  const url = await startPlatform((requested) => (requested === '/auth/token' ? undefined : [status, {}]));
  const report = await withPlatform(url);
  expect(report.findings.filter(({ check }) => check.startsWith('data.'))).toEqual([
    {
      check: 'data.permissions',
      status: 'problem',
      message: `The platform issues a token, and refuses it for all data (status ${status}).`,
      remedy: expect.stringMatching(/proxy.*Authorization.*same platform.*rights/),
    },
  ]);
});

it('says that a server without the REST API has none of the data', async () => {
  const report = await withPlatform(
    await startPlatform((requested) => (requested.startsWith('/v2.0/') ? [404, {}] : undefined)),
  );
  expect(report.findings.filter(({ check }) => check.startsWith('data.'))).toEqual([
    {
      check: 'data.permissions',
      status: 'problem',
      message: 'The response for all lists has status 404.',
      remedy: expect.stringContaining('PLATFORM_URL'),
    },
  ]);
});

it.each<[string, [number, unknown], string]>([
  ['no data', [200, '<html>'], 'token endpoint'],
  ['some data', [200, []], 'REST API'],
])('says which part of the platform responds, with %s', async (_, result, part) => {
  const url = await startPlatform((requested) => (requested === '/auth/token' ? undefined : result));
  const { findings } = await withPlatform(url);
  const message = `The ${part} responds at ${new URL(url).host}.`;
  expect(findings).toContainEqual({ check: 'platform.address', status: 'ok', message });
});

it.each([
  ['Channel', /^$/],
  ['channel', /warning: No stream has the custom attribute "channel".*Correct the name/],
  ['channel_id', /^$/],
])('compares CHANNEL_ATTRIBUTE with the custom attributes: %s', async (CHANNEL_ATTRIBUTE, message) => {
  const rows = [{ id: 1, display_name: 'Channel', parent_id: 7, value: '5' }];
  const url = await startPlatform((requested) =>
    requested === '/v2.0/stream/customAttributes' ? [200, rows] : undefined,
  );
  const report = await withPlatform(url, { CHANNEL_ATTRIBUTE });
  expect(describeFindings(report, 'data.channels')).toMatch(message);
});

it('says what follows from a truncated list', async () => {
  const rows = Array.from({ length: 10_000 }, (_, id) => ({ id }));
  const url = await startPlatform((requested) =>
    /\/(site|device)$/.test(requested) ? [200, rows] : undefined,
  );
  expect(describeFindings(await withPlatform(url), 'data.lists').split('\n')).toEqual([
    expect.stringMatching(/all sites .*missing in lists/),
    expect.stringMatching(/all devices .*by site/),
  ]);
});

it('names endpoints that fail in one way together', async () => {
  const report = await withPlatform(
    await startPlatform((requested) => (requested.startsWith('/v2.0/') ? [500, {}] : undefined)),
  );
  expect(describeFindings(report, 'data.permissions').split('\n')).toEqual([
    expect.stringMatching(/organizations, users, sites, .*RFID reads has status 500/),
  ]);
});

it.each(['counter_type_id', 'counterTypeId', 'CounterTypeId'])(
  'names types of health counters without a name, by %s',
  async (name) => {
    const rows = [1, 9].map((type) => ({ [name]: type, value: 1 }));
    const url = await startPlatform((requested) => {
      if (requested === '/v2.0/device') return [200, [{ id: 5 }]];
      return requested === '/v2.0/device/5/lastHealth' ? [200, rows] : undefined;
    });
    const counters = async (HEALTH_COUNTERS: string) =>
      describeFindings(await withPlatform(url, { HEALTH_COUNTERS }), 'data.counters');
    expect(await counters('1=Battery:mV')).toMatch(/warning: .*without a name: 9\./);
    expect(await counters('1=Battery:mV,9=Restarts')).toBe('');
  },
);

describe('callers', () => {
  const keyFile = (name: string, changes: object = {}) => {
    const { entry } = createApiKey({ name: 'a key', scopes: ['read'], organizations: '*', expiresAt: null });
    return fileWith(name, JSON.stringify({ keys: [{ ...entry, ...changes }] }));
  };
  const withKeys = (file: string) => examine({ CALLER_AUTH: 'api-key', API_KEYS_FILE: file });

  it.each<[string, () => string, RegExp]>([
    ['a missing file', () => path.join(directory, 'none.json'), /problem: .*ENOENT.*api-key --name/],
    // Docker creates a directory at the path of a mounted file that does not exist.
    ['a directory', () => directory, /problem: .*\/doctor-\w+ is a directory.*Name a file/],
    ['a device', () => '/dev/zero', /problem: .*\/dev\/zero is a device, not a regular file.*Name a file/],
    [
      'a file that is not JSON',
      () => fileWith('text.json', '{"keys": [\n'),
      /problem: .*not JSON.*line 2, column 1/,
    ],
    [
      'an unknown member',
      () => keyFile('member.json', { disabled: true }),
      /problem: .*keys\[0\].*"disabled"/,
    ],
    [
      'a file without a valid key',
      () => keyFile('expired.json', { expiresAt: '2020-01-01' }),
      /problem: No API key is valid, .* These are expired: a key\. Make a key/,
    ],
    [
      'a file without keys',
      () => fileWith('none.json', '{"keys":[]}'),
      /problem: No API key is valid, so every caller is refused\. Make/,
    ],
    ['an entry with unknown scopes', () => keyFile('scopes.json', { scopes: ['all'] }), /problem: .*scopes/],
  ])('with %s', async (_, file, message) => {
    expect(describeFindings(await withKeys(file()), 'callers.credentials')).toMatch(message);
  });

  it('with a key in the setting instead of a file', async () => {
    const { key } = createApiKey({ name: 'a key', scopes: ['read'], organizations: '*', expiresAt: null });
    const report = await withKeys(key);
    expect(describeFindings(report, 'settings.API_KEYS_FILE')).toMatch(
      /problem: .*path of a file, not a key/,
    );
    expect(JSON.stringify(report)).not.toContain(key);
  });

  it.each([
    ['scopes', { scopes: [] }],
    ['organizations', { organizations: [] }],
  ])('with a key without %s', async (name, changes) => {
    const { entry } = createApiKey({ name: 'good', scopes: ['read'], organizations: '*', expiresAt: null });
    const { entry: other } = createApiKey({
      name: 'empty',
      scopes: ['read'],
      organizations: '*',
      expiresAt: null,
    });
    const file = fileWith(`no-${name}.json`, JSON.stringify({ keys: [entry, { ...other, ...changes }] }));
    const report = await withKeys(file);
    expect(describeFindings(report, 'callers.rights')).toMatch(/warning: .*can do nothing: empty\./);
    expect(report.findings).toContainEqual(expect.objectContaining({ message: '1 API key is valid.' }));
  });

  it.each<[string, object, Record<string, string>, RegExp]>([
    ['restricted to organizations', { organizations: [310] }, {}, /warning: .*\/metrics.*--name metrics/],
    ['without read', { scopes: ['write'] }, {}, /warning: METRICS=callers/],
    ['over all organizations', {}, {}, /^$/],
    ['of which none is valid', { expiresAt: '2020-01-01' }, {}, /^$/],
    ['and METRICS=open', { organizations: [310] }, { METRICS: 'open' }, /^$/],
    ['and METRICS=off', { organizations: [310] }, { METRICS: 'off' }, /^$/],
  ])('with keys %s', async (_, changes, environment, message) => {
    const API_KEYS_FILE = keyFile('metrics.json', changes);
    const report = await examine({ CALLER_AUTH: 'api-key', API_KEYS_FILE, ...environment });
    expect(describeFindings(report, 'callers.metrics')).toMatch(message);
  });

  it.each([
    ['callers', /warning: METRICS=callers, but no caller may read .*Set METRICS to off or open/],
    ['open', /^$/],
  ])("with the callers' own credentials and METRICS=%s", async (METRICS, message) => {
    const report = await examine({ CALLER_AUTH: 'platform', METRICS });
    expect(describeFindings(report, 'callers.metrics')).toMatch(message);
  });

  it.each([
    ['viewer=310', 'callers', /warning: .*no role of JWT_ROLE_ORGANIZATIONS may read .*metrics=\*/],
    ['viewer=310', 'off', /^$/],
    ['viewer=310,admin=*', 'callers', /^$/],
    ['', 'callers', /^$/],
  ])('with the roles %j and METRICS=%s', async (JWT_ROLE_ORGANIZATIONS, METRICS, message) => {
    const JWKS_FILE = fileWith('metrics-jwks.json', '{"keys":[]}');
    const jwt = { CALLER_AUTH: 'jwt', JWT_ISSUER: 'a', JWT_AUDIENCE: 'b', JWKS_FILE };
    const report = await examine({ ...jwt, JWT_ROLE_ORGANIZATIONS, METRICS });
    expect(describeFindings(report, 'callers.metrics')).toMatch(message);
  });

  it('with keys for organizations that the account does not have', async () => {
    const url = await startPlatform((requested) =>
      requested.endsWith('/organization') ? [200, [{ id: 310 }]] : undefined,
    );
    const organizationsOf = (id: number) => keyFile(`of-${id}.json`, { organizations: [id] });
    const report = (id: number) =>
      withPlatform(url, { CALLER_AUTH: 'api-key', API_KEYS_FILE: organizationsOf(id) });
    expect(describeFindings(await report(311), 'callers.organizations')).toMatch(/problem: .*a key/);
    expect(describeFindings(await report(310), 'callers.organizations')).toBe('');
  });

  it('with roles for organizations that the account does not have', async () => {
    const url = await startPlatform((requested) =>
      requested.endsWith('/organization') ? [200, [{ id: 310 }]] : undefined,
    );
    const JWKS_FILE = fileWith('roles-jwks.json', '{"keys":[]}');
    const jwt = { CALLER_AUTH: 'jwt', JWT_ISSUER: 'a', JWT_AUDIENCE: 'b', JWKS_FILE };
    const report = (JWT_ROLE_ORGANIZATIONS: string) => withPlatform(url, { ...jwt, JWT_ROLE_ORGANIZATIONS });
    const wrong = await report('plant-a=310,plant-b=311,plant-b=310,admin=*');
    expect(describeFindings(wrong, 'callers.organizations')).toMatch(
      /problem: .*JWT_ROLE_ORGANIZATIONS.*: plant-b\./,
    );
    expect(wrong.requests.rest).toBeLessThanOrEqual(12);
    expect(describeFindings(await report('plant-a=310,admin=*'), 'callers.organizations')).toBe('');
  });

  it.each<[string, () => Promise<string>, RegExp]>([
    ['an issuer that does not respond', async () => 'https://127.0.0.1:2/keys', /Nothing listens.*JWKS_URL/],
    [
      'an issuer at a port that is not allowed',
      async () => 'https://127.0.0.1:1/keys',
      /no requests to this port/,
    ],
    ['an issuer with no public key', () => serveKeys({ keys: [{ kty: 'oct', k: SECRET }] }), /no public key/],
    ['an issuer with keys of an unknown type', () => serveKeys({ keys: [{ kty: 'X' }] }), /no public key/],
    ...unusableKeySets.map(([name, set]): [string, () => Promise<string>, RegExp] => [
      `an issuer with ${name}`,
      () => serveKeys(set),
      /problem: JWKS_URL has (no public key|an entry)/,
    ]),
    [
      'an issuer whose response is too long',
      () => serveKeys({ keys: [publicKey], padding: ' '.repeat(1024 * 1024) }),
      /problem: The response of JWKS_URL has more than 1 MB/,
    ],
    ['the discovery document of an issuer', () => serveKeys({ jwks_uri: 'https://a.example' }), /jwks_uri/],
    ['a page of an issuer', () => serveKeys('<html>'), /does not contain JSON/],
    ['an issuer that redirects', () => refusing(302, {}, { Location: 'https://a.example' }), /no redirects/],
    ['a wrong address of an issuer', () => refusing(404, {}), /status 404.*as the issuer documents it/],
    ['an issuer that is down', () => refusing(503, {}), /status 503.*Try again later/],
    [
      'an issuer without a trusted certificate',
      async () => `https://127.0.0.1:${await listen(createHttpsServer({ key: pem, cert: pem }))}`,
      /self-signed.*NODE_EXTRA_CA_CERTS/,
    ],
  ])('with %s', async (_, start, message) => {
    const report = await examine({
      CALLER_AUTH: 'jwt',
      JWT_ISSUER: 'https://issuer.example',
      JWT_AUDIENCE: 'gateway',
      JWKS_URL: await start(),
    });
    expect(describeFindings(report, 'callers.credentials')).toMatch(message);
  });

  const serveKeys = (body: unknown) =>
    refusing(200, body).then((url) => url.replace('127.0.0.1', 'localhost'));

  const publicKey = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' });
  const rsaKey = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export({ format: 'jwk' });

  it.each<[string, object[], RegExp]>([
    ['the same id', [{ kid: 'a' }, { kid: 'a' }], /problem: .*same id \(kid: "a"\).*a `kid` of its own/],
    ['no id', [{}, {}], /problem: .*same id \(kid: none\)/],
    ['the same id, one with its algorithm', [{ kid: 'a' }, { kid: 'a', alg: 'ES256' }], /problem: .*same id/],
    ['the same id for two types', [{ kid: 'a' }, { kid: 'a', ...rsaKey }], /^$/],
    ['ids of their own', [{ kid: 'a' }, { kid: 'b' }], /^$/],
    [
      'a number as an id',
      [{ kid: 5 }, { kid: 'b' }],
      /warning: .*id \(kid\) is not a string.*quotation marks/,
    ],
    [
      'a number as an id, and the same id twice',
      [{ kid: 5 }, { kid: 'b' }, { kid: 'b' }],
      /warning: .*is not a string.*\nproblem: .*same id \(kid: "b"\)/,
    ],
    ['the same id for a key that is not usable', [{ kid: 'a' }, { kid: 'a', use: 'enc' }], /^$/],
  ])('with keys that have %s', async (_, keys, message) => {
    const set = { keys: keys.map((key) => ('kty' in key ? key : { ...publicKey, ...key })) };
    const JWKS_FILE = fileWith('ids.json', JSON.stringify(set));
    const report = await examine({ CALLER_AUTH: 'jwt', JWT_ISSUER: 'a', JWT_AUDIENCE: 'b', JWKS_FILE });
    expect(describeFindings(report, 'callers.keyIds')).toMatch(message);
  });

  it('with keys in a file that is not JSON', async () => {
    const JWKS_FILE = fileWith('cut-off.json', '{\n"keys": [');
    const jwt = { CALLER_AUTH: 'jwt', JWT_ISSUER: 'a', JWT_AUDIENCE: 'b', JWKS_FILE };
    expect(describeFindings(await examine(jwt), 'callers.credentials')).toMatch(
      /problem: JWKS_FILE .*not JSON.*line 2, column 10/,
    );
  });

  it('with keys in the setting instead of a file', async () => {
    const JWKS_FILE = JSON.stringify({ keys: [{ kty: 'EC', d: SECRET }] });
    const report = await examine({ CALLER_AUTH: 'jwt', JWT_ISSUER: 'a', JWT_AUDIENCE: 'b', JWKS_FILE });
    expect(describeFindings(report, 'callers.credentials')).toMatch(/has the content of a file/);
  });

  it('with keys in a file that can not be read', async () => {
    const jwt = { CALLER_AUTH: 'jwt', JWT_ISSUER: 'a', JWT_AUDIENCE: 'b', JWKS_FILE: directory };
    expect(describeFindings(await examine(jwt), 'callers.credentials')).toMatch(
      /problem: .*is a directory Name a file that the user of the gateway can read\.$/,
    );
  });

  it('with private keys that every user can read', async () => {
    const file = fileWith('private.json', `\uFEFF${JSON.stringify({ keys: [{ kty: 'EC', d: SECRET }] })}`);
    const jwt = { CALLER_AUTH: 'jwt', JWT_ISSUER: 'a', JWT_AUDIENCE: 'b' };
    expect(describeFindings(await examine({ ...jwt, JWKS_FILE: file }), 'callers.privateKey')).toMatch(
      /private key.*Replace/,
    );
  });

  it('with keys in a file that other users may write', async () => {
    const [apiKeys, issuerKeys] = [keyFile('shared.json'), fileWith('shared-jwks.json', '{"keys":[]}')];
    const jwt = { CALLER_AUTH: 'jwt', JWT_ISSUER: 'a', JWT_AUDIENCE: 'b', JWKS_FILE: issuerKeys };
    const examineBoth = () => Promise.all([withKeys(apiKeys), examine(jwt)]);
    for (const report of await examineBoth()) expect(describeFindings(report, 'callers.file')).toBe('');
    for (const file of [apiKeys, issuerKeys]) chmodSync(file, 0o666);
    for (const report of await examineBoth())
      expect(describeFindings(report, 'callers.file')).toMatch(
        /warning: Other users can write to .* chmod go-w/,
      );
  });

  it('with keys in a file that an editor of Windows has saved', async () => {
    const file = keyFile('windows.json');
    writeFileSync(file, `\uFEFF${readFileSync(file, 'utf8')}`);
    expect((await withKeys(file)).ok).toBe(true);
  });

  it('with trusted documents that are not valid', async () => {
    const documents = mkdtempSync(path.join(directory, 'documents-'));
    const write = (name: string, text: string) => writeFileSync(path.join(documents, name), text);
    const describeDocuments = async () =>
      describeFindings(await examine({ TRUSTED_DOCUMENTS: documents }), 'callers.documents');
    expect(await describeDocuments()).toMatch(/problem: .*no document/);
    write('sites.graphql', '{ sites { totalCount } }');
    expect(await describeDocuments()).toBe('');
    write('old.graphql', '{\n  weather\n}');
    expect(await describeDocuments()).toMatch(
      /problem: 1 of 2 trusted documents .*old\.graphql, line 2: Cannot query field "weather".*fieldgraph schema/,
    );
    write('old.graphql', `{ sites { nodes { ${'devices { site { '.repeat(10)}name${' } }'.repeat(10)} } } }`);
    expect(await describeDocuments()).toMatch(
      /problem: 1 of 2 trusted documents exceed a limit.*old\.graphql, line 1: .*levels of fields.*Raise the limit, such as MAX_DEPTH/,
    );
    write('manifest.json', JSON.stringify({ 'x-app:1': '{ sites { totalCount } }' }));
    write('persisted-documents.json', JSON.stringify({ 'x-app:1': '{ devices { totalCount } }' }));
    expect(await describeDocuments()).toMatch(
      /problem: .*persisted-documents\.json, line 1, x-app:1: Another document has the same id\./,
    );
    write('broken.graphql', 'query {');
    expect(await describeDocuments()).toMatch(/problem: .*broken\.graphql/);
  });
});
