/** Callers of every kind for tests: files of API keys, an issuer of tokens with a real key server, websockets. */
import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Client, createClient } from 'graphql-ws';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { WebSocket } from 'ws';
import { type ApiKeyEntry, type ApiKeyGrant, createApiKey } from '../../../src/http/auth/apiKeys.js';
import { cleanUpAfterFile } from '../cleanUp.js';
import { runningClock } from '../runningClock.js';
import { startPlainServer } from './edgeGateway.js';

const disposals: (() => unknown)[] = [];

cleanUpAfterFile(async () => {
  await Promise.all(disposals.splice(0).map((dispose) => dispose()));
});

export interface KeysFile {
  file: string;
  /** Adds a key and returns it. */
  add(grant: Partial<ApiKeyGrant>): Promise<string>;
  /** Changes the rights of the key of this name. */
  change(name: string, grant: Partial<ApiKeyGrant>): Promise<void>;
  /** Removes the key of this name. */
  remove(name: string): Promise<void>;
  /** Writes any text to the file. */
  write(text: string): Promise<void>;
}

/** A separate file without keys; removed after the file's tests. */
export async function createKeysFile(): Promise<KeysFile> {
  const folder = await mkdtemp(path.join(tmpdir(), 'fieldgraph-keys-'));
  disposals.push(() => rm(folder, { recursive: true }));
  const file = path.join(folder, 'keys.json');
  let entries: ApiKeyEntry[] = [];
  const save = () => writeFile(file, JSON.stringify({ keys: entries }));
  await save();
  return {
    file,
    async add(grant) {
      const plain = { name: 'a test', scopes: ['read'], organizations: '*', expiresAt: null } as const;
      const { key, entry } = createApiKey({ ...plain, ...grant });
      entries.push(entry);
      await save();
      return key;
    },
    async change(name, grant) {
      entries = entries.map((entry) => (entry.name === name ? { ...entry, ...grant } : entry));
      await save();
    },
    async remove(name) {
      entries = entries.filter((entry) => entry.name !== name);
      await save();
    },
    write: (text) => writeFile(file, text),
  };
}

/** Overrides the claims of a valid token; undefined removes one. */
export type Claims = Readonly<Record<string, unknown>>;

export interface TokenHead {
  alg?: string;
  kid?: string;
}

/** Issues tokens and publishes its keys at a real address; both can be changed while it runs. */
export async function startIssuer() {
  const issuer = 'https://issuer.example';
  const audience = 'fieldgraph';
  let keys = [await makeKey('first')];
  let isUp = true;
  let keyRequests = 0;
  const server = await startPlainServer((_, response) => {
    keyRequests += 1;
    response.statusCode = isUp ? 200 : 503;
    response.end(JSON.stringify({ keys: keys.map(({ jwk }) => jwk) }));
  });

  return {
    settings: {
      kind: 'jwt' as const,
      issuer,
      audience,
      keys: { url: `${server.url}/keys` },
      scopesClaim: 'scope',
      organizationsClaim: 'organizations',
    },
    /** The number of requests for the keys. */
    keyRequests: () => keyRequests,
    keys: () => keys,
    setUp(up: boolean) {
      isUp = up;
    },
    /** Publishes this key alone from now on. */
    async rotate(kid: string) {
      keys = [await makeKey(kid)];
    },
    /** A valid token, except for the given claims and header. */
    async sign(claims: Claims = {}, head: TokenHead = {}, nowMs = runningClock.now()): Promise<string> {
      const [key] = keys;
      if (!key) throw new Error('There is no key.');
      const nowSeconds = Math.floor(nowMs / 1000);
      const plain = { iss: issuer, aud: audience, sub: 'somebody', exp: nowSeconds + 600 };
      const payload = { ...plain, scope: 'read', organizations: '*', ...claims };
      return new SignJWT(payload)
        .setProtectedHeader({ alg: 'RS256', kid: key.kid, ...head })
        .sign(key.privateKey);
    },
  };
}

export type Issuer = Awaited<ReturnType<typeof startIssuer>>;

async function makeKey(kid: string) {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
  return {
    kid,
    privateKey,
    publicKey,
    jwk: { ...(await exportJWK(publicKey)), kid, alg: 'RS256', use: 'sig' },
  };
}

interface SocketOptions {
  params?: Record<string, unknown>;
  /** Sent with the upgrade. */
  headers?: Record<string, string>;
}

interface TestSocket {
  client: Client;
  /** The close code and its reason, when the connection has ended. */
  closed: Promise<{ code: number; reason: string }>;
  /** The first response of an operation; throws on any other message. */
  first(query: string, variables?: Record<string, unknown>): Promise<unknown>;
}

/** A websocket with a credential; closed after the file's tests. */
export function connectSocket(url: string, { params = {}, headers = {} }: SocketOptions = {}): TestSocket {
  class WithHeaders extends WebSocket {
    constructor(address: string, protocols: string | string[]) {
      super(address, protocols, { headers });
    }
  }
  const client = createClient({
    url: `${url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WithHeaders,
    connectionParams: params,
    retryAttempts: 0,
    lazy: false,
    onNonLazyError: () => undefined,
  });
  disposals.push(() => client.dispose());
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    client.on('closed', (event) => {
      const { code, reason } = event as { code: number; reason: string };
      resolve({ code, reason });
    });
  });
  return {
    client,
    closed,
    async first(query, variables = {}) {
      for await (const result of client.iterate({ query, variables })) return result;
      throw new Error('There was no response.');
    },
  };
}

const makeRsaKey = (modulusLength: number) =>
  generateKeyPairSync('rsa', { modulusLength }).publicKey.export({ format: 'jwk' });
const rsaKey = makeRsaKey(2048);

/** Sets of keys that verify no token, each with its name. */
export const unusableKeySets: [string, { keys: unknown[] }][] = [
  ['an entry that is not an object', { keys: [rsaKey, 'x'] }],
  ['an RSA key without a modulus', { keys: [{ kty: 'RSA', e: 'AQAB' }] }],
  ['an RSA key that is too short', { keys: [makeRsaKey(1024)] }],
  [
    'a private key',
    { keys: [generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' })] },
  ],
  ['a key for encryption', { keys: [{ ...rsaKey, use: 'enc' }] }],
  ['a key that only signs', { keys: [{ ...rsaKey, key_ops: ['sign'] }] }],
  ['a key of an algorithm for other keys', { keys: [{ ...rsaKey, alg: 'ES256' }] }],
  ['a key of an algorithm for encryption', { keys: [{ ...rsaKey, alg: 'RSA-OAEP' }] }],
  ['a key of an unknown curve', { keys: [{ kty: 'EC', crv: 'constructor', alg: 'ES256' }] }],
  [
    'a key of a curve for key agreement',
    { keys: [generateKeyPairSync('x25519').publicKey.export({ format: 'jwk' })] },
  ],
];
