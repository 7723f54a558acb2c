/** API keys over HTTP and websocket: authentication, scopes, and a key file that changes while the gateway runs. */
import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { type ApiKeyGrant, createApiKey, parseApiKeys, verifyApiKey } from '../../src/http/auth/apiKeys.js';
import { createAuthenticator } from '../../src/http/auth/authenticator.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { connectSocket, createKeysFile, type KeysFile } from '../support/http/callers.js';
import { createRecordingLogger, until } from '../support/http/edgeGateway.js';
import { runningClock } from '../support/runningClock.js';

const QUERY = '{ sites { totalCount } }';

let keys: KeysFile;
let gateway: TestGateway;
let key: string;
const logger = createRecordingLogger();

beforeAll(async () => {
  keys = await createKeysFile();
  key = await keys.add({ name: 'reader' });
  const callerAuth = { kind: 'api-key' as const, file: keys.file };
  const settings = { callerAuth, logger, recheckIntervalMs: 50 };
  gateway = await startTestGateway({ sandbox: { siteCount: 2 }, gateway: settings });
});

async function outcome(headers: Record<string, string>, query = QUERY) {
  const { status, body } = await gateway.query(query, {}, headers);
  return [status, body.errors?.[0]?.extensions.code ?? 'fine'];
}

const fine = [200, 'fine'];
const refused = [401, 'UNAUTHENTICATED'];

describe('an API key', () => {
  it('is accepted as Bearer or in X-API-Key', async () => {
    expect(await outcome({ Authorization: `Bearer ${key}` })).toEqual(fine);
    expect(await outcome({ authorization: `bearer  ${key}` })).toEqual(fine);
    expect(await outcome({ 'X-API-Key': key })).toEqual(fine);
  });

  it('must be the only credential of the request', async () => {
    expect(await outcome({})).toEqual(refused);
    expect(await outcome({ Authorization: `Bearer ${key}`, 'X-API-Key': key })).toEqual(refused);
    expect(await outcome({ Authorization: `Bearer ${key} ${key}` })).toEqual(refused);
    expect(await outcome({ Authorization: `Basic ${Buffer.from(`x:${key}`).toString('base64')}` })).toEqual(
      refused,
    );
  });

  it.each<[string, Record<string, string>]>([
    [
      'Send one credential, not both Authorization and X-API-Key.',
      { Authorization: 'Bearer x', 'X-API-Key': 'x' },
    ],
    ['Authorization must be "Bearer …" or "Basic …".', { Authorization: 'Digest x' }],
  ])('is refused with the reason "%s"', async (reason, headers) => {
    const { body } = await gateway.query(QUERY, {}, headers);
    expect(body.errors?.[0]?.message).toBe(reason);
  });

  it('is refused if any part of it is wrong, always with the same error', async () => {
    const other = createApiKey({ name: 'x', scopes: ['read'], organizations: '*', expiresAt: null }).key;
    const swapped = `${key.slice(0, 20)}${other.slice(20)}`;
    const wrong = [
      other,
      swapped,
      key.slice(0, -1),
      `${key}A`,
      key.toUpperCase(),
      'fg__',
      'x',
      `${key} ${key}`,
    ];
    for (const text of wrong) {
      const { status, body } = await gateway.query(QUERY, {}, { 'X-API-Key': text });
      expect([status, body.errors?.[0]?.message]).toEqual([401, 'The API key is not valid.']);
    }
    expect(JSON.stringify(logger.lines)).not.toContain(key);
  });

  it('is refused after it expires', async () => {
    const over = await keys.add({
      name: 'over',
      expiresAt: new Date(runningClock.now() - 1000).toISOString(),
    });
    const lasting = await keys.add({
      name: 'lasting',
      expiresAt: new Date(runningClock.now() + 60_000).toISOString(),
    });
    await until(async () => (await outcome({ 'X-API-Key': lasting }))[0] === 200);
    expect(await outcome({ 'X-API-Key': over })).toEqual(refused);
  });

  it('of no organization can see nothing', async () => {
    const headers = { 'X-API-Key': await keys.add({ name: 'nothing', organizations: [] }) };
    await until(async () => (await outcome(headers))[0] === 200);
    const { body } = await gateway.query(QUERY, {}, headers);
    expect(body.data).toEqual({ sites: { totalCount: 0 } });
  });

  it('is valid until exactly the time at which it expires', () => {
    const expiresAt = '2027-01-31T00:00:00Z';
    const { key: made, entry } = createApiKey({ name: 'x', scopes: ['read'], organizations: '*', expiresAt });
    const statusAt = (nowMs: number) =>
      verifyApiKey(new Map([[entry.id, entry]]), made, { now: () => nowMs }).status;
    expect(statusAt(Date.parse(expiresAt) - 1)).toBe('valid');
    expect(statusAt(Date.parse(expiresAt))).toBe('expired');
  });
});

describe('the key file', () => {
  it('is loaded again when it changes, and an invalid version keeps the previous keys', async () => {
    const added = await keys.add({ name: 'added' });
    await until(async () => (await outcome({ 'X-API-Key': added }))[0] === 200);
    expect(logger.lines).toContainEqual({ level: 'info', message: 'API keys read', fields: { keys: 4 } });
    const text = await readFile(keys.file, 'utf8');
    const good = logger.lines.length;
    await keys.write('{"keys": [{"id": "x", "hash": "5ec7e7"}]}');
    await until(() => logger.lines.length > good);
    expect(await outcome({ 'X-API-Key': added })).toEqual(fine);
    expect(logger.lines.at(-1)).toMatchObject({ level: 'error' });
    expect(JSON.stringify(logger.lines)).not.toContain('5ec7e7');
    await keys.write(text);
    await until(() => logger.lines.at(-1)?.message === 'API keys read');
    await keys.remove('added');
    await until(async () => (await outcome({ 'X-API-Key': added }))[0] === 401);
    expect(await outcome({ 'X-API-Key': key })).toEqual(fine);
  });

  it.each([0, 1])(
    'has a warning without a valid key, which refuses every caller (%i expired)',
    async (expired) => {
      const { file, write, add } = await createKeysFile();
      await write('{"keys": []}');
      if (expired > 0) await add({ name: 'old', expiresAt: '2020-01-01T00:00:00Z' });
      const logger = createRecordingLogger();
      const { close } = await createAuthenticator({ kind: 'api-key', file }, { clock: runningClock, logger });
      close();
      expect(logger.lines).toEqual([
        { level: 'warn', message: 'API_KEYS_FILE contains no valid key', fields: {} },
      ]);
    },
  );

  it.each([
    ['', 'The file is not JSON. The error is in line 1, column 1.'],
    ['{"keys": [\n  {"id": "a",}\n]}', 'The file is not JSON. The error is in line 2, column 14.'],
    ['[]', 'The file must have the form {"keys": […]}.'],
    ['{"keys": [null]}', /keys\[0\]\.id must be/],
    ['{"keys": [{"scopes": ["admin"]}]}', /keys\[0\]\.scopes must be a list of read, write/],
    ['{"keys": [{"scopes": ["read"]}]}', /keys\[0\]\.organizations must be a list/],
    ['{"keys": [{"organizations": [0]}]}', /keys\[0\]\.organizations must be a list/],
    ['{"keys": [{"expiresAt": "soon"}]}', /keys\[0\]\.expiresAt must be a date/],
    ['{"keys": [{"salt": "00", "hash": "00"}]}', /keys\[0\]\.salt must be .*\nkeys\[0\]\.hash must be/],
  ])('such as %s is refused with the reason', (text, problem) => {
    expect(() => parseApiKeys(text)).toThrow(problem);
  });

  it.each(['disabled', 'revokedAt', 'organisations', '__proto__'])(
    'with the unknown member %s is refused, and the previous keys stay',
    async (member) => {
      const { entry } = createApiKey({ name: 'x', scopes: ['read'], organizations: '*', expiresAt: null });
      const text = JSON.stringify({ keys: [entry, entry] }).replace(/}]}$/, `,"${member}":true}]}`);
      const problem = `keys[1] ("x") has the unknown member "${member}"; the members are id, name, scopes, organizations, expiresAt, salt, hash.`;
      expect(() => parseApiKeys(text)).toThrow(problem);
      const lines = logger.lines.length;
      await keys.write(text);
      await until(() => logger.lines.length > lines);
      expect(logger.lines.at(-1)).toMatchObject({
        level: 'error',
        fields: { cause: { message: expect.stringContaining(problem) } },
      });
      expect(await outcome({ 'X-API-Key': key })).toEqual(fine);
    },
  );

  it('with many problems is refused with the first twenty and the number of the others', () => {
    const text = JSON.stringify({ keys: Array.from({ length: 100 }, () => null) });
    expect(() => parseApiKeys(text)).toThrow(
      /^(keys\[\d]\.\w+ must be .*\n){20}There are 680 more problems\.$/,
    );
  });

  it('can name organizations by number and by typed id', () => {
    const { entry } = createApiKey({ name: 'x', scopes: ['read'], organizations: [310], expiresAt: null });
    const parse = (organizations: unknown[]) =>
      parseApiKeys(JSON.stringify({ keys: [{ ...entry, organizations }] })).get(entry.id)?.organizations;
    expect(parse([310, 'Organization:311'])).toEqual([310, 311]);
    expect(() => parse([310, 'Site:311'])).toThrow('keys[0].organizations must be a list');
  });

  it('is refused if an id appears twice', () => {
    const make = () =>
      createApiKey({ name: 'x', scopes: ['read'], organizations: '*', expiresAt: null }).entry;
    const entry = make();
    expect(() => parseApiKeys(JSON.stringify({ keys: [make(), entry, make(), entry] }))).toThrow(
      `keys[1] and a later entry have the same id, ${entry.id}.`,
    );
  });

  it('contains nothing from which a key can be derived', () => {
    const made = createApiKey({ name: 'x', scopes: ['read'], organizations: '*', expiresAt: null });
    const secret = made.key.slice(`fg_${made.entry.id}_`.length);
    expect(JSON.stringify(made.entry)).not.toContain(secret);
    const entries = new Map([[made.entry.id, made.entry]]);
    expect(verifyApiKey(entries, made.key, { now: Date.now })).toEqual({
      status: 'valid',
      entry: made.entry,
    });
    expect(
      verifyApiKey(entries, `fg_${made.entry.id}_${made.entry.hash.slice(0, 43)}`, { now: Date.now }),
    ).toEqual({
      status: 'unknown',
    });
  });
});

describe('scopes', () => {
  it('allow queries and subscriptions with only read, over HTTP and websocket', async () => {
    const writer = await keys.add({ name: 'writer', scopes: ['write'] });
    await until(async () => (await outcome({ 'X-API-Key': writer }))[0] === 403);
    const calls = gateway.sandbox.calls.list().length;
    expect(await outcome({ 'X-API-Key': writer })).toEqual([403, 'FORBIDDEN']);
    expect(await outcome({ 'X-API-Key': writer }, '{ __schema { queryType { name } } }')).toEqual([
      403,
      'FORBIDDEN',
    ]);
    const socket = connectSocket(gateway.url, { params: { 'x-api-key': writer } });
    for (const query of [QUERY, 'subscription { sampleReceived { id } }']) {
      await expect(socket.first(query)).rejects.toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
    }
    expect(gateway.sandbox.calls.list()).toHaveLength(calls);
  });
});

describe('a websocket', () => {
  it.each<[string, (key: string) => Parameters<typeof connectSocket>[1]]>([
    ['connectionParams of any case', (good) => ({ params: { AUTHORIZATION: `Bearer ${good}` } })],
    ['X-API-Key in connectionParams', (good) => ({ params: { 'X-Api-Key': good } })],
    ['the headers of the upgrade', (good) => ({ headers: { Authorization: `Bearer ${good}` } })],
  ])('is accepted with %s', async (_, options) => {
    const socket = connectSocket(gateway.url, options(key));
    expect(await socket.first(QUERY)).toEqual({ data: { sites: { totalCount: 2 } } });
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['nothing', {}, 'Send an API key as "Authorization: Bearer …" or as "X-API-Key: …".'],
    ['a wrong key', { authorization: 'Bearer fg_x' }, 'The API key is not valid.'],
    [
      'a value that is not a string',
      { authorization: { key: 'x' } },
      'Authorization must be a text of at most 16384 characters.',
    ],
    [
      'a long value',
      { 'X-API-Key': 'x'.repeat(16_385) },
      'X-API-Key must be a text of at most 16384 characters.',
    ],
    [
      'two headers of one name',
      { authorization: 'Bearer x', Authorization: 'Bearer y' },
      'Send one credential, not several.',
    ],
  ])('with %s is closed with 4401', async (_, params, reason) => {
    const { closed } = connectSocket(gateway.url, { params });
    expect(await closed).toEqual({ code: 4401, reason });
  });

  it('with different credentials in its headers and connectionParams is closed with 4401', async () => {
    const headers = { Authorization: `Bearer ${key}` };
    const same = connectSocket(gateway.url, { headers, params: { authorization: `bearer ${key}` } });
    expect(await same.first(QUERY)).toEqual({ data: { sites: { totalCount: 2 } } });
    const other = await keys.add({ name: 'other' });
    await until(async () => (await outcome({ 'X-API-Key': other }))[0] === 200);
    const both = connectSocket(gateway.url, { headers, params: { authorization: `Bearer ${other}` } });
    const reason = 'Send one credential: those in connectionParams and in the HTTP headers differ.';
    expect(await both.first(QUERY).catch(() => both.closed)).toEqual({ code: 4401, reason });
    await keys.remove('other');
  });

  it.each<[string, Partial<ApiKeyGrant>]>([
    ['scopes', { scopes: ['read'] }],
    ['organizations', { organizations: [310] }],
  ])('ends when the %s of its key change', async (name, change) => {
    const changing = await keys.add({ name, scopes: ['read', 'write'] });
    await until(async () => (await outcome({ 'X-API-Key': changing }))[0] === 200);
    const socket = connectSocket(gateway.url, { params: { 'X-API-Key': changing } });
    expect(await socket.first(QUERY)).toEqual({ data: { sites: { totalCount: 2 } } });
    await keys.change(name, change);
    const reason = 'The authorization of this credential has changed. Try again.';
    expect(await socket.closed).toEqual({ code: 4401, reason });
  });

  it('ends when its key is removed', async () => {
    const leaving = await keys.add({ name: 'leaving' });
    await until(async () => (await outcome({ 'X-API-Key': leaving }))[0] === 200);
    const socket = connectSocket(gateway.url, { params: { 'X-API-Key': leaving } });
    const samples = socket.client.iterate({
      query: 'subscription { sampleReceived(kinds: [SCALAR]) { id } }',
    });
    const next = samples.next().catch((reason: unknown) => reason);
    await keys.remove('leaving');
    expect(await socket.closed).toMatchObject({ code: 4401 });
    const expired = { errors: [{ extensions: { code: 'CREDENTIAL_EXPIRED', retryable: false } }] };
    expect(await next).toMatchObject({ value: expired, done: false });
    const lines = logger.lines.filter(
      ({ message, fields }) => message === 'Operation refused' && Reflect.get(fields, 'caller') === 'leaving',
    );
    const fields = { transport: 'websocket', code: 'UNAUTHENTICATED', reason: 'The API key is not valid.' };
    expect(lines).toMatchObject([{ level: 'info', fields }]);
  });
});
