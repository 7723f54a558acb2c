/** Settings of callers: how they authenticate, and what their credentials allow. */
import { isScope, toOrganizationId } from '../http/auth/apiKeys.js';
import { isLoopback } from '../http/auth/hostCheck.js';
import type { RoleTable } from '../http/auth/jwtAuthenticator.js';
import { oneOf, optional, quote, type Setting, SettingError, text } from './setting.js';

const callerAuthKinds = ['open', 'api-key', 'jwt', 'platform'] as const;

export const callerSettings = {
  CALLER_AUTH: oneOf(
    callerAuthKinds,
    'open',
    'How callers authenticate: `open` (they do not), `api-key`, `jwt` or `platform`.',
  ),
  CALLER_AUTH_OPEN: optional('`yes-really` lets CALLER_AUTH=open start on an address other than loopback.'),
  API_KEYS_FILE: optional(
    'File with the keys for CALLER_AUTH=api-key. The gateway re-reads it when it changes.',
    {
      parse: parseKeysPath,
    },
  ),
  JWT_ISSUER: optional('Issuer of the tokens for CALLER_AUTH=jwt: exactly the value of their claim `iss`.'),
  JWT_AUDIENCE: optional('Audience of the tokens: their claim `aud` must contain it.'),
  JWKS_URL: optional("Address of the issuer's public keys: https, or http on loopback.", {
    parse: parseKeysUrl,
  }),
  JWKS_ALLOW_HTTP: oneOf(
    ['false', 'true'],
    'false',
    '`true` accepts a JWKS_URL with http on other addresses too. Use it only in networks where nobody can change the keys in transit.',
  ),
  JWKS_FILE: optional(
    "File with the issuer's public keys, instead of JWKS_URL. The gateway re-reads it when it changes.",
  ),
  JWT_SCOPES_CLAIM: text(
    'scope',
    'Claim that contains the scopes `read` and `write`, or roles: a name, or a path such as `realm_access.roles`.',
  ),
  JWT_ROLE_SCOPES: roleTable(
    'Maps roles to scopes, such as `viewer=read,operator=read,operator=write`. `read` and `write` themselves need no entry.',
    (value) => {
      if (!isScope(value)) throw new SettingError(`has the unknown scope ${quote(value)}.`);
    },
  ),
  JWT_ORGANIZATIONS_CLAIM: text(
    'organizations',
    'Claim with the organizations that a caller may see: a list of ids, `*` for all, or a list of roles. Like JWT_SCOPES_CLAIM, a name or a path.',
  ),
  JWT_ROLE_ORGANIZATIONS: roleTable(
    'Maps roles to organizations, such as `plant-a=310,plant-b=311,admin=*`. If set, the gateway ignores all other values of the claim.',
    (value) => {
      if (value !== '*' && toOrganizationId(value) === undefined)
        throw new SettingError(`has ${quote(value)}, which is not an organization id.`);
    },
  ),
};

/** Whether others on the network can read and change requests: true for http, except to a loopback address. */
export function isClearTextUrl(value: string): boolean {
  const { protocol, hostname } = new URL(value);
  return protocol === 'http:' && !isLoopback(hostname);
}

/** The message does not repeat the value, because the content of the file has hashes of keys, and a key is a secret. */
function parseKeysPath(value: string): string {
  if (/^[[{]/.test(value)) throw new SettingError('must be the path of a file, not its content.');
  if (/^fg_[0-9a-f]{16}_/.test(value)) throw new SettingError('must be the path of a file, not a key.');
  return value;
}

function parseKeysUrl(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new SettingError('must be an https address, or http on loopback.');
  // Requests to such an address would fail, and their errors would show the password.
  if (url.username !== '' || url.password !== '')
    throw new SettingError('must not contain a user or password.');
  return value;
}

/** Pairs of a role and a value, separated by commas. Roles may contain `=`. `check` throws a `SettingError`. */
function roleTable(description: string, check: (value: string) => void): Setting<RoleTable> {
  return {
    description,
    defaultText: 'none',
    defaultValue: {},
    parse(value) {
      const table: Record<string, string[]> = Object.create(null) as Record<string, string[]>;
      for (const pair of value.split(',').filter((part) => part.trim() !== '')) {
        const end = pair.lastIndexOf('=');
        const role = pair.slice(0, Math.max(0, end)).trim();
        if (role === '')
          throw new SettingError(`must list pairs such as viewer=read; ${quote(pair)} is not one.`);
        const item = pair.slice(end + 1).trim();
        check(item);
        table[role] = [...(table[role] ?? []), item];
      }
      return table;
    },
  };
}
