/** The attacked gateways, one for each kind of caller authentication, with the attacks on each. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { exportJWK, exportSPKI, generateKeyPair, SignJWT } from 'jose';
import { MAIN_FILE } from '../shared/processes.js';
import { type AttackForm, credentialForms, operationForms } from './attackForms.js';

export interface SetUp {
  name: string;
  environment: Readonly<Record<string, string>>;
  /** The headers of each normal caller. */
  headers: readonly Readonly<Record<string, string>>[];
  forms: readonly AttackForm[];
  /** Invalid credentials, each wrong in another part. The response times must not differ. */
  probes?: Readonly<Record<string, string>>;
  close(): void;
}

/** Several, because each has a rate limit. */
export const NORMAL_CALLERS = 5;

export function openToAll(): SetUp {
  const headers = Array<Record<string, string>>(NORMAL_CALLERS).fill({});
  return { name: 'open: bombs', environment: {}, headers, forms: operationForms(), close() {} };
}

/** @param hasKey whether the attacker has a valid key. */
export function withApiKeys(hasKey: boolean): SetUp {
  const directory = mkdtempSync(path.join(tmpdir(), 'fieldgraph-attack-'));
  const file = path.join(directory, 'keys.json');
  const createKey = (name: string) => {
    const args = [MAIN_FILE, 'api-key', '--name', name, '--scopes', 'read'];
    const text = execFileSync(process.execPath, args, { env: { ...process.env, API_KEYS_FILE: file } });
    return /fg_\S+/.exec(text.toString())?.[0] ?? '';
  };
  const normals = Array.from({ length: NORMAL_CALLERS }, (_, index) => createKey(`normal ${index}`));
  const [normal = '', attacker] = [normals[0], createKey('attacker')];
  const wrong = credentialForms({
    'a key of nobody': `Bearer fg_${'0'.repeat(16)}_${'A'.repeat(43)}`,
    'a key with a wrong secret': `Bearer ${normal.slice(0, -4)}AAAA`,
    'a long credential': `Bearer ${'x'.repeat(12_000)}`,
    'no such scheme': 'Digest x',
  });
  return {
    name: hasKey ? 'api-key: bombs by key' : 'api-key: wrong keys',
    environment: { CALLER_AUTH: 'api-key', API_KEYS_FILE: file },
    headers: normals.map((key) => ({ Authorization: `Bearer ${key}` })),
    ...(hasKey ? {} : { probes: probesOf(normal) }),
    forms: hasKey ? operationForms({ Authorization: `Bearer ${attacker}` }) : wrong,
    close: () => rmSync(directory, { recursive: true }),
  };
}

/** A valid key with a wrong character in its id, at the start of its secret, and at the end. */
function probesOf(key: string): Record<string, string> {
  const swap = (at: number) => {
    const index = at < 0 ? key.length + at : at;
    return `Bearer ${key.slice(0, index)}${key[index] === '0' ? '1' : '0'}${key.slice(index + 1)}`;
  };
  return {
    'id wrong': swap(3),
    'secret wrong from the start': swap(20),
    'secret wrong at the end': swap(-2),
  };
}

const ISSUER = 'https://issuer.example';
const AUDIENCE = 'fieldgraph';

/** The attacker knows the issuer's name and public key, and forges tokens. */
export async function withTokens(): Promise<SetUp> {
  const [own, other] = [await createKeys(), await createKeys()];
  const jwk = { ...(await exportJWK(own.publicKey)), kid: 'own', alg: 'RS256', use: 'sig' };
  const server = createServer((_, response) => response.end(JSON.stringify({ keys: [jwk] })));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const sign = (key: Parameters<SignJWT['sign']>[0], claims = {}, head = {}) =>
    new SignJWT({ scope: 'read', organizations: '*', iss: ISSUER, aud: AUDIENCE, sub: 'somebody', ...claims })
      .setProtectedHeader({ alg: 'RS256', kid: 'own', ...head })
      .setExpirationTime('1h')
      .sign(key);
  const valid = await Promise.all(
    Array.from({ length: NORMAL_CALLERS }, (_, index) => sign(own.privateKey, { sub: `normal ${index}` })),
  );
  const [, payload] = valid[0]?.split('.') ?? [];
  const publicText = new TextEncoder().encode(await exportSPKI(own.publicKey));
  const forged = {
    'no signature': `${encode({ alg: 'none' })}.${payload}.`,
    'the public key as a secret': await sign(publicText, {}, { alg: 'HS256' }),
    "somebody else's signature": await sign(other.privateKey),
    'an unknown key': await sign(other.privateKey, {}, { kid: 'other' }),
    'another audience': await sign(own.privateKey, { aud: 'another' }),
    'no token': 'x.y.z',
  };
  const bearers = Object.entries(forged).map(([name, token]) => [name, `Bearer ${token}`]);
  return {
    name: 'jwt: forged tokens',
    environment: {
      CALLER_AUTH: 'jwt',
      JWT_ISSUER: ISSUER,
      JWT_AUDIENCE: AUDIENCE,
      JWKS_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    },
    headers: valid.map((token) => ({ Authorization: `Bearer ${token}` })),
    forms: credentialForms(Object.fromEntries(bearers)),
    close: () => void server.close().closeAllConnections(),
  };
}

function createKeys() {
  return generateKeyPair('RS256', { extractable: true });
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
