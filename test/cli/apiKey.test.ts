/** `fieldgraph api-key` creates working keys, prints each once, and does not change a file that it cannot parse. */
import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseApiKeys, verifyApiKey } from '../../src/http/auth/apiKeys.js';
import { find, start, urlIn } from './startedProcess.js';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'fieldgraph-api-key-'));
});
afterAll(() => rm(folder, { recursive: true }));

const keyIn = (text: string) => find(text, /fg_[0-9a-f]{16}_[\w-]{43}/);

describe('fieldgraph api-key', () => {
  it('adds keys to a file, with which a gateway accepts callers', async () => {
    const file = path.join(folder, 'keys.json');
    const environment = { API_KEYS_FILE: file };
    const one = start(['api-key', '--name', 'one', '--scopes', 'read'], environment);
    expect([await one.ended, one.stderr]).toEqual([0, '']);
    const two = start(
      [
        'api-key',
        '--name',
        'two',
        '--scopes',
        'read,write,read',
        '--organizations',
        '310, Organization:311, Organization:310',
        '--expires',
        '2100-01-31',
      ],
      environment,
    );
    expect([await two.ended, two.stderr]).toEqual([0, '']);

    const text = await readFile(file, 'utf8');
    const entries = parseApiKeys(text);
    expect([...entries.values()]).toMatchObject([
      { name: 'one', scopes: ['read'], organizations: '*', expiresAt: null },
      {
        name: 'two',
        scopes: ['read', 'write'],
        organizations: [310, 311],
        expiresAt: '2100-01-31T00:00:00.000Z',
      },
    ]);
    expect(verifyApiKey(entries, keyIn(two.stdout), Date)).toMatchObject({
      status: 'valid',
      entry: { name: 'two' },
    });
    expect(text).not.toContain(keyIn(one.stdout).slice(20));
    expect((await stat(file)).mode & 0o777).toBe(0o600);

    const gateway = start([], { ...environment, CALLER_AUTH: 'api-key' });
    const url = urlIn(await gateway.startupOutput());
    const status = async (key: string) =>
      (
        await fetch(`${url}/graphql?query={__typename}`, {
          headers: { 'X-API-Key': key, 'Apollo-Require-Preflight': '1' },
        })
      ).status;
    expect([await status(keyIn(one.stdout)), await status('fg_x')]).toEqual([200, 401]);
  });

  it('keeps the permissions of a file, which a gateway of another user may read', async () => {
    const file = path.join(folder, 'shared.json');
    await writeFile(file, '{"keys": []}');
    await chmod(file, 0o644);
    const added = start(['api-key', '--name', 'x', '--scopes', 'read'], { API_KEYS_FILE: file });
    expect([await added.ended, added.stderr]).toEqual([0, '']);
    expect(parseApiKeys(await readFile(file, 'utf8')).size).toBe(1);
    expect((await stat(file)).mode & 0o777).toBe(0o644);
  });

  it('adds the key to the file behind a symbolic link', async () => {
    const store = path.join(folder, 'store');
    await mkdir(store);
    const [file, link] = [path.join(store, 'keys.json'), path.join(folder, 'link.json')];
    await writeFile(file, '{"keys": []}');
    await symlink('store/keys.json', link);
    const added = start(['api-key', '--name', 'x', '--scopes', 'read'], { API_KEYS_FILE: link });
    expect([await added.ended, added.stderr]).toEqual([0, '']);
    expect(await readlink(link)).toBe('store/keys.json');
    expect(parseApiKeys(await readFile(file, 'utf8')).size).toBe(1);
    expect(await readdir(store)).toEqual(['keys.json']);
  });

  it('prints the entry if no file is given', async () => {
    const made = start(['api-key', '--name', 'x', '--scopes', 'read']);
    expect(await made.ended).toBe(0);
    expect(parseApiKeys(made.stdout.slice(made.stdout.indexOf('{'))).size).toBe(1);
  });

  it('leaves an unreadable file unchanged', async () => {
    const file = path.join(folder, 'other.json');
    await writeFile(file, 'something else');
    const refused = start(['api-key', '--name', 'x', '--scopes', 'read'], { API_KEYS_FILE: file });
    const problem = 'API_KEYS_FILE: The file is not JSON. The error is in line 1, column 1.\n';
    expect([await refused.ended, refused.stderr]).toEqual([1, problem]);
    expect(await readFile(file, 'utf8')).toBe('something else');
  });

  it('refuses the content of a file as its path, without showing it', async () => {
    const content = '{"keys":[{"hash":"hash-of-a-key"}]}';
    for (const args of [['api-key', '--name', 'x', '--scopes', 'read'], ['start'], ['doctor']]) {
      const refused = start(args, { API_KEYS_FILE: content, CALLER_AUTH: 'api-key' });
      expect(await refused.ended).toBe(1);
      const output = refused.stdout + refused.stderr;
      expect(output).toContain('API_KEYS_FILE: must be the path of a file, not its content.');
      expect(output).not.toMatch(/hash-of-a-key| {4}at /);
    }
  });

  it.each([
    [[], '--name is missing'],
    [['--name', 'x'], '--scopes must list'],
    [['--name', 'x', '--scopes', 'admin'], '--scopes must list'],
    [['--name', 'x', '--scopes', 'read', '--organizations', ''], '--organizations must list'],
    [['--name', 'x', '--scopes', 'read', '--organizations', 'Site:310'], '--organizations must list'],
    [['--name', 'x', '--scopes', 'read', '--organizations', '0'], '--organizations must list'],
    [['--name', 'x', '--scopes', 'read', '--expires', 'soon'], '--expires must be a date'],
    [['--name', 'x', '--scopes', 'read', '--expires', '2099-02-31'], '--expires must be a date'],
    [['--name', 'x', '--scopes', 'read', '--expires', '2099-02-31T00:00:00Z'], '--expires must be a date'],
    [['--name', 'x', '--scopes', 'read', '--expires', '2020-01-31'], '2020-01-31 is in the past'],
    [['--name', 'x', '--scopes', 'read', '--expires', '2099-01-31 10:00'], 'a time with its zone'],
    [['--name', ' ', '--scopes', 'read'], '--name is missing'],
    [['--name', 'x\ny', '--scopes', 'read'], '--name must be one line'],
    [['--name', 'x\u001b[2J', '--scopes', 'read'], '--name must be one line'],
    [['--name', 'x\u2028y', '--scopes', 'read'], '--name must be one line'],
    [['--name', 'x', '--scopes', 'read', '--scopes', 'write'], '--scopes is repeated; set it once.'],
    [['--name', 'x', '--scopes', 'read', '--colour', 'red'], '--colour'],
  ])('prints its usage for %j', async (args, problem) => {
    const refused = start(['api-key', ...args]);
    expect(await refused.ended).toBe(1);
    expect(refused.stderr).toContain(problem);
    expect(refused.stderr).toContain('Usage: fieldgraph api-key');
    expect(refused.stdout).toBe('');
  });

  it('names the folder of the file if it is missing', async () => {
    const missing = path.join(folder, 'missing');
    const refused = start(['api-key', '--name', 'one', '--scopes', 'read'], {
      API_KEYS_FILE: path.join(missing, 'keys.json'),
    });
    expect(await refused.ended).toBe(1);
    expect(refused.stderr).toMatch(new RegExp(`ENOENT.*'${missing}'`));
  });
});

describe('a gateway with api-key', () => {
  it('does not start without a usable file', async () => {
    const file = path.join(folder, 'bad.json');
    await writeFile(file, '{"keys": [{}]}');
    for (const [name, problem] of [
      ['bad.json', 'API_KEYS_FILE: keys[0].id must be'],
      ['none.json', "API_KEYS_FILE: The file can't be read"],
    ]) {
      const refused = start([], { CALLER_AUTH: 'api-key', API_KEYS_FILE: path.join(folder, `${name}`) });
      expect(await refused.ended).toBe(1);
      expect(refused.stderr).toContain(problem);
      expect(refused.stderr).not.toContain('    at ');
    }
  });
});
