/** Tokens as common identity providers issue them, with settings for their claims, and keys from a file. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { readConfig } from '../../src/config/config.js';
import { createAuthenticator } from '../../src/http/auth/authenticator.js';
import type { Authenticator } from '../../src/http/auth/caller.js';
import { type Logger, silentLogger } from '../../src/lib/logger.js';
import { ConfigError } from '../../src/lib/startupErrors.js';
import { type Claims, type Issuer, startIssuer, unusableKeySets } from '../support/http/callers.js';
import { createRecordingLogger, startPlainServer } from '../support/http/edgeGateway.js';
import { runningClock } from '../support/runningClock.js';
import { WAIT_MS } from '../support/waiting.js';

const directory = mkdtempSync(path.join(tmpdir(), 'jwks-'));
const keysFile = path.join(directory, 'keys.json');
const authenticators: Authenticator[] = [];

let issuer: Issuer;

const writeKeys = () =>
  writeFileSync(keysFile, JSON.stringify({ keys: issuer.keys().map(({ jwk }) => jwk) }));

beforeAll(async () => {
  issuer = await startIssuer();
  writeKeys();
});

afterAll(() => {
  for (const { close } of authenticators) close();
  rmSync(directory, { recursive: true });
});

async function authenticatorFor(
  settings: Record<string, string>,
  logger: Logger = silentLogger,
): Promise<Authenticator> {
  const { callerAuth } = readConfig({
    CALLER_AUTH: 'jwt',
    JWT_ISSUER: 'https://issuer.example',
    JWT_AUDIENCE: 'fieldgraph',
    JWKS_FILE: keysFile,
    ...settings,
  });
  const authenticator = await createAuthenticator(callerAuth, { clock: runningClock, logger });
  authenticators.push(authenticator);
  return authenticator;
}

/** A token of this issuer has none of the claims that `startIssuer` adds for other tests. */
const sign = (claims: Claims) => issuer.sign({ scope: undefined, organizations: undefined, ...claims });

async function callerOf({ authenticate }: Authenticator, claims: Claims) {
  const { scopes, organizationIds } = await authenticate({ bearer: await sign(claims) });
  return { scopes: [...scopes], organizations: organizationIds ? [...organizationIds] : '*' };
}

const codeOf = ({ authenticate }: Authenticator, claims: Claims) =>
  sign(claims)
    .then((bearer) => authenticate({ bearer }))
    .then(
      () => undefined,
      (error: { code: string; message: string }) => `${error.code}: ${error.message}`,
    );

describe('tokens of', () => {
  it('Keycloak: realm roles, and groups as organizations', async () => {
    const authenticator = await authenticatorFor({
      JWT_SCOPES_CLAIM: 'realm_access.roles',
      JWT_ROLE_SCOPES: 'viewer=read, operator=read, operator=write',
      JWT_ORGANIZATIONS_CLAIM: 'groups',
      JWT_ROLE_ORGANIZATIONS: '/plants/a=310,/plants/b=311,/admins=*',
    });
    const keycloak = (roles: string[], groups: string[]) => ({
      typ: 'Bearer',
      azp: 'dashboard',
      aud: ['fieldgraph', 'account'],
      realm_access: { roles: ['offline_access', 'default-roles-plant', ...roles] },
      resource_access: { account: { roles: ['view-profile'] } },
      groups,
    });
    expect(await callerOf(authenticator, keycloak(['viewer'], ['/plants/a', '/other']))).toEqual({
      scopes: ['read'],
      organizations: [310],
    });
    expect(await callerOf(authenticator, keycloak(['operator'], ['/plants/a', '/plants/b']))).toEqual({
      scopes: ['read', 'write'],
      organizations: [310, 311],
    });
    expect(await callerOf(authenticator, keycloak([], ['/admins']))).toEqual({
      scopes: [],
      organizations: '*',
    });
    const nested = keycloak([['viewer'], { toString: 1 }] as unknown as string[], ['/plants/a']);
    expect(await callerOf(authenticator, nested)).toEqual({ scopes: [], organizations: [310] });
    // Users may be able to name their groups, so only the names in the table count.
    for (const groups of [['/other'], '*', ['*'], [310], '310']) {
      expect(await codeOf(authenticator, { ...keycloak(['viewer'], []), groups })).toMatch(
        /^FORBIDDEN: .*"groups" has none of the roles that JWT_ROLE_ORGANIZATIONS names/,
      );
    }
  });

  it('any issuer without organizations are refused with the reason', async () => {
    const table = { JWT_ROLE_ORGANIZATIONS: 'plant-a=310' };
    const [plain, withRoles] = [await authenticatorFor({}), await authenticatorFor(table)];
    const refusal = (reason: string) => `FORBIDDEN: The token's claim "organizations" ${reason}`;
    const isEmpty = refusal('is an empty list, so the token gives access to no organization.');
    expect(await codeOf(plain, { organizations: [] })).toBe(isEmpty);
    expect(await codeOf(withRoles, { organizations: [] })).toBe(isEmpty);
    const isMissing = refusal('is missing, so the token gives access to no organization.');
    expect(await codeOf(plain, {})).toBe(isMissing);
    expect(await codeOf(withRoles, {})).toBe(isMissing);
    const isOther = refusal('must be a list of organization ids, or "*" for all organizations.');
    expect(await codeOf(plain, { organizations: ['plant-a'] })).toBe(isOther);
  });

  it('Keycloak: roles of a client whose id contains dots', async () => {
    const authenticator = await authenticatorFor({
      JWT_SCOPES_CLAIM: 'resource_access.fieldgraph.plant.example.roles',
      JWT_ORGANIZATIONS_CLAIM: 'resource_access.other.example.roles',
      JWT_ROLE_ORGANIZATIONS: 'plant-a=310',
    });
    const keycloak = {
      resource_access: {
        fieldgraph: { roles: ['write'] },
        'fieldgraph.plant.example': { roles: ['read'] },
        'other.example': { roles: ['plant-a'] },
      },
    };
    expect(await callerOf(authenticator, keycloak)).toEqual({ scopes: ['read'], organizations: [310] });
  });

  it('Auth0: permissions, and a namespaced claim', async () => {
    const claim = 'https://fieldgraph.example/organizations';
    const authenticator = await authenticatorFor({
      JWT_SCOPES_CLAIM: 'permissions',
      JWT_ROLE_SCOPES: 'read:samples=read,write:samples=write',
      JWT_ORGANIZATIONS_CLAIM: claim,
    });
    const auth0 = {
      permissions: ['read:samples', 'read:other'],
      scope: 'openid profile',
      [claim]: [310, '311'],
    };
    expect(await callerOf(authenticator, auth0)).toEqual({ scopes: ['read'], organizations: [310, 311] });
    expect(await callerOf(authenticator, { ...auth0, [claim]: '*' })).toMatchObject({ organizations: '*' });
    expect(await codeOf(authenticator, { ...auth0, [claim]: ['*'] })).toMatch(/^FORBIDDEN/);
    expect(await codeOf(authenticator, { ...auth0, [claim]: undefined })).toMatch(/^FORBIDDEN/);
  });

  it('Entra ID: app roles, or delegated scopes, with the tenant as organization', async () => {
    const tenant = '7f1ea2f6-6d1b-4f3c-9f3b-0a3d2e1c5b77';
    const common = { JWT_ORGANIZATIONS_CLAIM: 'tid', JWT_ROLE_ORGANIZATIONS: `${tenant}=310` };
    const entra = { ver: '2.0', tid: tenant, oid: 'somebody', azp: 'app' };
    const byRole = await authenticatorFor({
      ...common,
      JWT_SCOPES_CLAIM: 'roles',
      JWT_ROLE_SCOPES: 'Samples.Read.All=read',
    });
    const expected = { scopes: ['read'], organizations: [310] };
    expect(await callerOf(byRole, { ...entra, roles: ['Samples.Read.All'] })).toEqual(expected);
    const byScope = await authenticatorFor({
      ...common,
      JWT_SCOPES_CLAIM: 'scp',
      JWT_ROLE_SCOPES: 'Samples.Read=read',
    });
    expect(await callerOf(byScope, { ...entra, scp: 'User.Read Samples.Read' })).toEqual(expected);
    expect(await codeOf(byScope, { ...entra, tid: 'another' })).toMatch(/^FORBIDDEN/);
  });

  it('an issuer whose claims have names like parts of objects grant nothing', async () => {
    const authenticator = await authenticatorFor({
      JWT_SCOPES_CLAIM: 'constructor.name',
      JWT_ROLE_ORGANIZATIONS: 'a=310',
    });
    const claims = { organizations: ['a', '__proto__', 'constructor'] };
    expect(await callerOf(authenticator, claims)).toEqual({ scopes: [], organizations: [310] });
  });
});

describe('JWKS_FILE', () => {
  it('is read again when it changes, and keeps its keys while it is not usable', async () => {
    const logger = createRecordingLogger();
    const { lines } = logger;
    const authenticator = await authenticatorFor({ JWT_SCOPES_CLAIM: 'scope' }, logger);
    const claims = { scope: 'read', organizations: '*' };
    const accepts = async () => expect(await codeOf(authenticator, claims)).toBeUndefined();
    await accepts();
    await issuer.rotate('second');
    expect(await codeOf(authenticator, claims)).toMatch(/^UNAUTHENTICATED/);
    writeFileSync(keysFile, '{');
    writeKeys();
    await vi.waitFor(accepts, { timeout: WAIT_MS, interval: 50 });
    expect(lines.at(-1)).toEqual({ level: 'info', message: 'Issuer keys read', fields: {} });
  });

  it('is a problem if it has no public key, or is set beside JWKS_URL', async () => {
    const file = path.join(directory, 'empty.json');
    for (const text of ['{"keys": []}', '{"keys": [null]}', '{"keys": ["x"]}', 'null', '[]']) {
      writeFileSync(file, text);
      await expect(authenticatorFor({ JWKS_FILE: file })).rejects.toThrow('no public key');
    }
    await expect(authenticatorFor({ JWKS_URL: 'https://issuer.example/keys' })).rejects.toThrow(ConfigError);
  });

  it.each(unusableKeySets)('is a problem with %s', async (_, set) => {
    const file = path.join(directory, 'unusable.json');
    writeFileSync(file, JSON.stringify(set));
    await expect(authenticatorFor({ JWKS_FILE: file })).rejects.toThrow(
      /The file has (no public key|an entry)/,
    );
  });
});

describe('JWKS_URL', () => {
  it.each(unusableKeySets)('with %s lets no caller in, and is not ready', async (_, set) => {
    const { url } = await startPlainServer((_, response) => void response.end(JSON.stringify(set)));
    const authenticator = await authenticatorFor({ JWKS_FILE: '', JWKS_URL: url });
    await expect(authenticator.checkReady?.()).rejects.toThrow('JWKS_URL');
    expect(await codeOf(authenticator, {})).toMatch(/^AUTHENTICATION_UNAVAILABLE/);
  });

  it('is accepted with http inside a network only on request', async () => {
    const internal = { JWKS_FILE: '', JWKS_URL: 'http://keycloak.internal:8080/keys' };
    await expect(authenticatorFor(internal)).rejects.toThrow('JWKS_ALLOW_HTTP=true');
    await expect(authenticatorFor({ ...internal, JWKS_ALLOW_HTTP: 'true' })).resolves.toBeDefined();
  });

  it.each([
    ['JWT_ROLE_SCOPES', 'viewer=all', 'unknown scope "all"'],
    ['JWT_ROLE_SCOPES', 'viewer', 'pairs such as viewer=read'],
    ['JWT_ROLE_ORGANIZATIONS', 'plant=x', 'not an organization id'],
  ])('%s=%s is refused', async (name, value, message) => {
    await expect(authenticatorFor({ [name]: value })).rejects.toThrow(message);
  });
});
