/** `fieldgraph doctor` on broken Redis servers, collectors and connections. */
import { createServer as createHttpServer } from 'node:http';
import { createServer as createHttp2Server } from 'node:http2';
import { connect, createServer as createTcpServer, type Socket } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { createServer as createTlsServer } from 'node:tls';
import { createGunzip } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { explainConnection } from '../../src/cli/doctor/explainConnection.js';
import { explainBlockedRequest } from '../../src/cli/doctor/explainTokenResponse.js';
import { checkInfo, checkPolicy, checkRedis, parseInfo } from '../../src/cli/doctor/redisChecks.js';
import { type ErrorCode, GatewayError } from '../../src/errors.js';
import { isRedisAvailable, type RedisServer, startRedisServer } from '../support/cache/redisServer.js';
import { startSandbox } from '../support/sandbox/sandbox.js';
import { WAIT } from '../support/waiting.js';
import {
  describeFindings,
  examine,
  KEY,
  listen,
  pem,
  refusing,
  SECRET,
  startPlatform,
  withPlatform,
} from './examineSetUp.js';
import { start } from './startedProcess.js';

describe('Redis', () => {
  it('that accepts connections and is silent is a problem', async () => {
    const silent = createTcpServer((socket) => void socket.on('error', () => undefined).resume());
    const findings = await checkRedis(`redis://127.0.0.1:${await listen(silent)}`, 300);
    expect(findings).toMatchObject([
      {
        check: 'redis.connection',
        status: 'problem',
        message: expect.stringContaining('does not respond in time'),
        remedy: expect.stringMatching(/REDIS_URL.*firewall/),
      },
    ]);
  });

  it('that does not reply to SUBSCRIBE leaves no connection open', async () => {
    const sockets: Socket[] = [];
    const server = createTcpServer((socket) => {
      sockets.push(socket.on('error', () => undefined));
      socket.on('data', (data) => {
        const text = String(data);
        if (!/\bsubscribe\b/i.test(text)) socket.write('+OK\r\n'.repeat(text.split('*').length - 1));
      });
    });
    await checkRedis(`redis://127.0.0.1:${await listen(server)}`, 300);
    await vi.waitFor(() => expect(sockets.every(({ destroyed }) => destroyed)).toBe(true), WAIT);
  });

  it.each([
    [
      `-ERR unknown command 'HELLO', with args beginning with: '3' 'AUTH' 'u' '${SECRET}' `,
      'redis.version',
      /too old/,
    ],
    ['-ERR max number of clients reached', 'redis.connection', /no further connections.*maxclients/],
    ['-DENIED Redis is running in protected mode', 'redis.connection', /protected mode.*password/],
    ['-LOADING Redis is loading the dataset in memory', 'redis.connection', /still loading/],
    ['-ODD something', 'redis.connection', /an error \(ODD\)/],
    ['HTTP/1.1 400 Bad Request', 'redis.connection', /not Redis.*host and port of REDIS_URL.*rediss:/],
    ['SSH-2.0-server', 'redis.connection', /not Redis/],
  ])('that replies %j is named', async (reply, check, message) => {
    const server = createTcpServer((socket) => {
      socket.on('error', () => undefined);
      if (reply.startsWith('HTTP')) socket.end(reply);
      else if (reply.startsWith('SSH')) socket.write(reply);
      else
        socket.on('data', (data) => socket.write(`${reply}\r\n`.repeat(String(data).split('*').length - 1)));
    });
    const report = await examine({ REDIS_URL: `redis://u:${SECRET}@127.0.0.1:${await listen(server)}` });
    expect(describeFindings(report, check)).toMatch(message);
    expect(report.ok).toBe(false);
  });

  it('that never completes the TLS handshake is a problem, also if nothing else keeps the process running', async () => {
    const silent = createTcpServer((socket) => void socket.on('error', () => undefined).resume());
    const url = `rediss://127.0.0.1:${await listen(silent)}`;
    const checks = new URL('../../build/cli/doctor/redisChecks.js', import.meta.url);
    const program = `import { checkRedis } from '${checks}'; console.log((await checkRedis('${url}', 100))[0].message);`;
    const child = start([], {}, { program: ['--input-type=module', '--eval', program] });
    expect([await child.ended, child.stdout]).toEqual([
      0,
      expect.stringContaining('does not respond in time'),
    ]);
  });

  it('with a certificate that is not trusted is named', async () => {
    const server = createTlsServer({ key: pem, cert: pem });
    const report = await examine({ REDIS_URL: `rediss://127.0.0.1:${await listen(server)}` });
    expect(describeFindings(report, 'redis.connection')).toMatch(/self-signed.*NODE_EXTRA_CA_CERTS/);
  });

  it.each(['redis_mode', 'server_mode'])('that is a sentinel, by %s, is a problem', (name) => {
    const info = parseInfo(`redis_version:7.2.4\r\n${name}:sentinel\r\n`);
    expect(checkInfo(info)[1]).toMatchObject({
      status: 'problem',
      remedy: expect.stringContaining('primary'),
    });
  });

  it('that refuses writes is a problem', () => {
    const replica = parseInfo('redis_version:7.2.4\r\nrole:slave\r\nslave_read_only:1\r\n');
    expect(checkInfo(replica)[1]).toMatchObject({
      status: 'problem',
      remedy: expect.stringContaining('primary'),
    });
  });

  it('that does not respond is a problem', async () => {
    expect(describeFindings(await examine({ REDIS_URL: 'redis://127.0.0.1:1' }), 'redis.connection')).toMatch(
      /Nothing listens.*REDIS_URL/,
    );
  });

  it('that is old, a cluster, or never evicts is named', async () => {
    const info = (version: string, cluster: string) =>
      checkInfo(parseInfo(`# Server\r\nredis_version:${version}\r\ncluster_enabled:${cluster}\r\n`));
    expect(info('5.0.14', '0')[0]).toMatchObject({ check: 'redis.version', status: 'problem' });
    expect(info('7.2.4', '1')[1]).toMatchObject({ check: 'redis.mode', status: 'problem' });
    const settings = (limit: string, policy: string) => async (name: string) =>
      name === 'maxmemory' ? limit : policy;
    expect(await checkPolicy(settings('0', 'noeviction'))).toMatchObject({ status: 'warning' });
    expect(await checkPolicy(settings('100', 'noeviction'))).toMatchObject({ status: 'warning' });
    expect(await checkPolicy(settings('100', 'allkeys-lru'))).toMatchObject({ status: 'ok' });
    expect(await checkPolicy(async () => undefined)).toMatchObject({ status: 'skipped' });
  });

  describe.skipIf(!isRedisAvailable)('with a server (needs redis-server)', () => {
    let redis: RedisServer;

    beforeAll(async () => {
      redis = await startRedisServer();
    });
    afterAll(() => redis.stop());

    it('responds, but not with a wrong password', async () => {
      expect(describeFindings(await examine({ REDIS_URL: redis.url }), 'redis.connection')).toBe('');
      const wrong = redis.url.replace('redis://', `redis://user:${SECRET}@`);
      expect(describeFindings(await examine({ REDIS_URL: wrong }), 'redis.connection')).toMatch(
        /refuses the user or the password/,
      );
    });

    it.each([
      [
        'no rights to write',
        '~* &* +@all -@write',
        /problem: .*refuses SET, DEL, PEXPIRE, EVAL \(NOPERM.*ACL SETUSER/,
      ],
      [
        'the keys of others',
        '~other:* &* +@all',
        /problem: .*GET, SET, DEL, PEXPIRE, HGET, HMGET, EVALSHA, EVAL/,
      ],
      ['no channels', '~* resetchannels +@all', /problem: .*PUBLISH, SUBSCRIBE/],
      ['no scripts', '~* &* +@all -@scripting', /problem: .*refuses EVALSHA, EVAL \(NOPERM/],
      ['no hashes', '~* &* +@all -@hash', /problem: .*refuses HGET, HMGET, EVAL \(NOPERM.*ACL SETUSER/],
      ['no scripts by hash', '~* &* +@all -evalsha', /problem: .*refuses EVALSHA \(NOPERM.*ACL SETUSER/],
      ['no writes of hashes', '~* &* +@all -hset', /problem: .*refuses EVAL \(NOPERM.*ACL SETUSER/],
      [
        'the commands only that doctor named',
        '~* &* +get +set +del +publish +eval +subscribe +@connection',
        /problem: .*refuses PEXPIRE, HGET, HMGET, TIME, EVALSHA, EVAL \(NOPERM/,
      ],
      ['no INFO', '~fieldgraph:* &fieldgraph:* +@all -@dangerous', ''],
    ])('lets a user with %s through, or names what is missing', async (_, rights, message) => {
      await redis.ask(`ACL SETUSER limited reset on >${SECRET} ${rights}`);
      const report = await examine({
        REDIS_URL: redis.url.replace('redis://', `redis://limited:${SECRET}@`),
      });
      expect(describeFindings(report, 'redis.connection')).toBe('');
      if (message === '') expect(describeFindings(report, 'redis.commands')).toBe('');
      else expect(describeFindings(report, 'redis.commands')).toMatch(message);
      if (message === '') expect(describeFindings(report, 'redis.version')).toMatch(/skipped: /);
    });

    it('is a problem if it is full, lacks replicas, or does not use TLS', async () => {
      const { url } = redis;
      const refusals = async () => describeFindings(await examine({ REDIS_URL: url }), 'redis.commands');
      await redis.limitMemory(1000);
      expect(await refusals()).toMatch(/problem: Redis refuses SET.*\(OOM\).*Redis is full/);
      await redis.limitMemory(0);
      await redis.ask('CONFIG SET min-replicas-to-write 1');
      expect(await refusals()).toMatch(/refuses SET, DEL, PEXPIRE, EVAL \(NOREPLICAS\).*replicas/);
      await redis.ask('CONFIG SET min-replicas-to-write 0');
      const [finding] = await checkRedis(url.replace('redis:', 'rediss:'), 300);
      expect(`${finding?.message} ${finding?.remedy}`).toMatch(
        /does not respond in time.*use redis:\/\/|does not speak TLS/,
      );
    });

    it('is a problem if it waits for a script that does not end', async () => {
      const other = await startRedisServer();
      await other.ask('CONFIG SET lua-time-limit 10');
      void other.ask('EVAL "while true do end" 0').catch(() => undefined);
      const refusals = async () =>
        describeFindings(await examine({ REDIS_URL: other.url }), 'redis.commands');
      try {
        await vi.waitFor(
          async () => expect(await refusals()).toMatch(/problem: .*\(BUSY\).*does not end: .*SCRIPT KILL/),
          WAIT,
        );
      } finally {
        await other.stop();
      }
    });

    it('requires a password that is missing', async () => {
      const other = await startRedisServer();
      await other.ask(`CONFIG SET requirepass ${SECRET}`);
      expect(describeFindings(await examine({ REDIS_URL: other.url }), 'redis.connection')).toMatch(
        /problem: Redis requires a password, and REDIS_URL has none\..*redis:\/\/user:password@/,
      );
      await other.stop();
    });

    it('that is far away is queried in few round trips', async () => {
      let trips = 0;
      const proxy = createTcpServer((near) => {
        let isWaiting = false;
        const far = connect(redis.port, '127.0.0.1', () => near.resume()).on('error', () => near.destroy());
        near.on('data', (data) => {
          if (!isWaiting) trips += 1;
          isWaiting = true;
          far.write(data);
        });
        far.on('data', (data) => {
          isWaiting = false;
          near.write(data);
        });
        near.pause().on('error', () => far.destroy());
        near.on('close', () => far.destroy());
      });
      const report = await examine({ REDIS_URL: `redis://127.0.0.1:${await listen(proxy)}` });
      expect(report.ok).toBe(true);
      expect(trips).toBeLessThan(15);
    });

    it('has no key afterwards', async () => {
      await redis.ask('FLUSHALL');
      await examine({ REDIS_URL: redis.url });
      expect(await redis.ask('DBSIZE')).toContain(':0');
    });

    it('shares its token, so that a second examination needs none', async () => {
      const sandbox = await startSandbox({ siteCount: 1, key: KEY, secret: SECRET });
      expect((await withPlatform(sandbox.url, { REDIS_URL: redis.url })).requests.token).toBe(1);
      const again = await withPlatform(sandbox.url, { REDIS_URL: redis.url });
      expect(again.requests).toEqual({ token: 0, rest: 12 });
      expect(again.ok).toBe(true);
    });

    it.each([401, 403])('has a token that the platform no longer accepts: status %i', async (status) => {
      let accepted = 'token';
      const url = await startPlatform((requested, { headers }) =>
        requested === '/auth/token' || headers.authorization === `Bearer ${accepted}`
          ? undefined
          : [status, {}],
      );
      expect((await withPlatform(url, { REDIS_URL: redis.url })).ok).toBe(true);
      accepted = 'another token';
      const report = await withPlatform(url, { REDIS_URL: redis.url });
      expect(report.ok).toBe(true);
      expect(report.findings.filter(({ check }) => check.startsWith('data.'))).toMatchObject([
        { status: 'warning', message: expect.stringMatching(/token that is in Redis.*request another/) },
      ]);
    });
  });
});

describe('the collector of traces', () => {
  const withCollector = (url: string) => examine({ OTEL_EXPORTER_OTLP_ENDPOINT: url });

  it('is slower than the gateway waits', async () => {
    const collector = createHttpServer((_, response) => void setTimeout(() => response.end(), 50));
    const report = await examine({
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${await listen(collector)}`,
      OTEL_EXPORTER_OTLP_TIMEOUT: '1',
    });
    expect(describeFindings(report, 'tracing.collector')).toMatch(
      /warning: .*waits 1 ms.*OTEL_EXPORTER_OTLP_TIMEOUT.*milliseconds/,
    );
  });

  it('is at a port for gRPC', async () => {
    const OTEL_EXPORTER_OTLP_ENDPOINT = `http://127.0.0.1:${await listen(createHttp2Server())}`;
    expect(describeFindings(await examine({ OTEL_EXPORTER_OTLP_ENDPOINT }), 'tracing.collector')).toMatch(
      /problem: .*port for gRPC.*usually 4318/,
    );
  });

  it('accepts a message without spans, in both formats', async () => {
    const bodies: string[] = [];
    const collector = createHttpServer((request, response) => {
      request.setEncoding('latin1').on('data', (text: string) => bodies.push(text));
      request.on('end', () => response.writeHead(request.url === '/v1/traces' ? 200 : 404).end());
    });
    const OTEL_EXPORTER_OTLP_ENDPOINT = `http://127.0.0.1:${await listen(collector)}`;
    for (const OTEL_EXPORTER_OTLP_PROTOCOL of ['http/json', 'http/protobuf']) {
      const report = await examine({ OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_PROTOCOL });
      expect(report.findings.at(-1)).toMatchObject({ check: 'tracing.collector', status: 'ok' });
    }
    expect(bodies).toEqual(['{"resourceSpans":[]}']);
  });

  it('does not accept compressed messages', async () => {
    const collector = createHttpServer((request, response) => {
      const isRefused = request.headers['content-encoding'] !== undefined;
      request.resume().on('end', () => response.writeHead(isRefused ? 415 : 200).end());
    });
    const OTEL_EXPORTER_OTLP_ENDPOINT = `http://127.0.0.1:${await listen(collector)}`;
    for (const [OTEL_EXPORTER_OTLP_COMPRESSION, message] of [
      ['gzip', /problem: .*status 415.*OTEL_EXPORTER_OTLP_COMPRESSION/],
      ['none', /^$/],
    ] as const) {
      const report = await examine({ OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_COMPRESSION });
      expect(describeFindings(report, 'tracing.collector')).toMatch(message);
    }
  });

  it('accepts compressed messages', async () => {
    const bodies: string[] = [];
    const collector = createHttpServer((request, response) => {
      const text = readText(request.pipe(createGunzip()));
      void text.then((body) => response.end(String(bodies.push(body))));
    });
    const OTEL_EXPORTER_OTLP_ENDPOINT = `http://127.0.0.1:${await listen(collector)}`;
    for (const OTEL_EXPORTER_OTLP_PROTOCOL of ['http/json', 'http/protobuf']) {
      const others = { OTEL_EXPORTER_OTLP_PROTOCOL, OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip' };
      const report = await examine({ OTEL_EXPORTER_OTLP_ENDPOINT, ...others });
      expect(report.findings.at(-1)).toMatchObject({ check: 'tracing.collector', status: 'ok' });
    }
    expect(bodies).toEqual(['{"resourceSpans":[]}', '']);
  });

  it.each<[string, () => Promise<string>, RegExp]>([
    ['is not there', async () => 'http://127.0.0.1:1', /Nothing listens.*OTEL_EXPORTER_OTLP_ENDPOINT/],
    ['requires a credential', () => refusing(401, {}), /status 401.*OTEL_EXPORTER_OTLP_HEADERS/],
    ['is another server', () => refusing(404, {}), /status 404.*4318/],
    ['does not know the format', () => refusing(415, {}), /status 415.*OTEL_EXPORTER_OTLP_PROTOCOL/],
    ['fails', () => refusing(503, {}), /status 503.*log of the collector/],
    ['is a page', () => refusing(200, '<html>', { 'Content-Type': 'text/html' }), /web page.*4318/],
  ])('%s', async (_, start, message) => {
    const report = await withCollector(await start());
    expect(describeFindings(report, 'tracing.collector')).toMatch(message);
    expect(report.ok).toBe(false);
  });
});

describe('a connection that fails', () => {
  const target = { setting: 'PLATFORM_URL', url: 'https://a.example', check: 'address', tlsCheck: 'tls' };

  it.each([
    ['CERT_HAS_EXPIRED', 'tls', /has expired.*Renew/],
    ['CERT_NOT_YET_VALID', 'tls', /not yet valid.*clock/],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'tls', /another host name.*PLATFORM_URL/],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'tls', /not trusted.*NODE_EXTRA_CA_CERTS/],
    ['UNSPECIFIED', 'tls', /certificate is too weak.*SHA-256/],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'tls', /issuer is unknown.*intermediate/],
    ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 'tls', /client certificate/],
    ['ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', 'tls', /too old.*TLS 1\.2/],
    ['ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE', 'tls', /refuses the TLS handshake.*client certificate/],
    ['ERR_SSL_TLSV1_UNRECOGNIZED_NAME', 'tls', /refuses the TLS handshake.*host name/],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'tls', /does not speak TLS.*http:\/\/ instead of https:\/\//],
    ['UND_ERR_SOCKET', 'address', /closed the connection.*client certificate.*http:\/\/.*firewall/],
    ['ETIMEDOUT', 'address', /host does not respond.*firewall/],
    ['NO_HTTP', 'address', /does not speak HTTP.*another port/],
    ['HPE_INVALID_CONSTANT', 'address', /does not speak HTTP.*another port/],
    ['INVALID_HTTP', 'address', /not valid HTTP.*proxy/],
    ['HPE_INVALID_HEADER_TOKEN', 'address', /not valid HTTP.*proxy/],
    ['UNFINISHED_BODY', 'address', /began, but did not end.*proxy/],
    ['UND_ERR_HEADERS_OVERFLOW', 'address', /headers .* too long.*adds headers/],
  ])('with %s is explained', (code, check, message) => {
    const finding = explainConnection(Object.assign(new Error(SECRET), { code }), target);
    expect(finding.check).toBe(check);
    expect(`${finding.message} ${finding.remedy}`).toMatch(message);
    expect(JSON.stringify(finding)).not.toContain(SECRET);
  });
});

describe('a token request that Redis delays', () => {
  const credential = { key: KEY, secret: SECRET };
  const context = { url: 'https://platform.example/api', credential, nowMs: 0 };

  it.each<[ErrorCode, string, string, RegExp]>([
    [
      'PLATFORM_BAD_RESPONSE',
      'An empty body.',
      'platform.address',
      /platform\.example: an earlier token request failed\. An empty body\. .*without REDIS_URL/,
    ],
    ['PLATFORM_RATE_LIMITED', 'Used up.', 'platform.tokens', /no token request for 90 s: all 15/],
  ])('has no status, and the code %s', (code, text, check, message) => {
    const error = new GatewayError(code, text, { retryAfterMs: 90_000 });
    const [reason, delay] = explainBlockedRequest(error, context);
    expect(reason).toMatchObject({ check, status: 'problem' });
    expect(`${reason?.message} ${reason?.remedy}`).toMatch(message);
    expect(delay).toMatchObject({ status: 'skipped', message: expect.stringContaining('in 90 s') });
  });
});

describe.skipIf(!isRedisAvailable)('a token in Redis (needs redis-server)', () => {
  it('does not hide that the platform is down, nor count as a check of key and secret', async () => {
    const redis = await startRedisServer();
    const server = createHttpServer((request, response) => {
      const isToken = request.url === '/auth/token';
      response.setHeader('Content-Type', 'application/json');
      response.end(JSON.stringify(isToken ? { access_token: 'token', expires_in: 3600 } : []));
    });
    const url = `http://127.0.0.1:${await listen(server)}`;
    const credentialOf = ({ findings }: Awaited<ReturnType<typeof withPlatform>>) =>
      findings.filter(({ check }) => check === 'platform.credential').map(({ status }) => status);
    try {
      const first = await withPlatform(url, { REDIS_URL: redis.url });
      expect([first.requests.token, credentialOf(first)]).toEqual([1, ['ok']]);
      const second = await withPlatform(url, { REDIS_URL: redis.url });
      expect([second.requests.token, credentialOf(second)]).toEqual([0, ['skipped']]);
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      const third = await withPlatform(url, { REDIS_URL: redis.url });
      expect(describeFindings(third, 'platform.address')).toMatch(/^problem: /);
      expect(credentialOf(third)).toEqual([]);
      expect(describeFindings(third, 'data.permissions')).toMatch(/^skipped: /);
      expect(third.ok).toBe(false);
    } finally {
      await redis.stop();
    }
  });

  it.each<[number, string, RegExp]>([
    [401, 'platform.credential', /refuses the credential \(status 401\).*PLATFORM_KEY and PLATFORM_SECRET/],
    [429, 'platform.tokens', /no token request for \d+ s: .*used up/],
    [503, 'platform.address', /status 503.*later/],
  ])(
    'that could not be requested, with status %i, is explained without another request',
    async (status, check, message) => {
      const redis = await startRedisServer();
      const url = await refusing(status, '', { 'Retry-After': '60' });
      try {
        const others = { REDIS_URL: redis.url };
        const first = await withPlatform(url, others);
        const second = await withPlatform(url, others);
        expect([first.requests.token, second.requests.token]).toEqual([1, 0]);
        expect(describeFindings(second, check)).toMatch(message);
        expect(describeFindings(second, 'platform.token')).toMatch(
          /skipped: No token was requested now: Redis/,
        );
        expect(describeFindings(second, 'data.permissions')).toContain('skipped: ');
      } finally {
        await redis.stop();
      }
    },
  );
});
