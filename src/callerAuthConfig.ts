/** The settings of `CALLER_AUTH`: what each of its ways needs, and what is too dangerous to start with. */

import type { CallerAuth } from './http/callers/authenticator.js';
import { isLoopback } from './lib/loopback.js';

/** Their rows of the table of settings. */
export const callerAuthSettings = [
  {
    name: 'CALLER_AUTH',
    default: 'open',
    description: 'Who may call: `open` (whoever reaches the address), `api-key`, `jwt` or `platform`.',
  },
  {
    name: 'CALLER_AUTH_OPEN',
    default: '',
    description: '`yes-really` lets CALLER_AUTH=open start on an address other than loopback.',
  },
  {
    name: 'API_KEYS_FILE',
    default: '',
    description: 'File of the keys for CALLER_AUTH=api-key; read again when it changes.',
  },
  {
    name: 'JWT_ISSUER',
    default: '',
    description: 'Who issues the tokens for CALLER_AUTH=jwt, exactly as their `iss` has it.',
  },
  {
    name: 'JWT_AUDIENCE',
    default: '',
    description: 'Whom the tokens are for: what their `aud` has to hold.',
  },
  {
    name: 'JWKS_URL',
    default: '',
    description: "Address of the issuer's public keys; https, or http on loopback.",
  },
  {
    name: 'JWT_SCOPES_CLAIM',
    default: 'scope',
    description: 'The claim that holds the scopes `read` and `write`.',
  },
  {
    name: 'JWT_ORGANIZATIONS_CLAIM',
    default: 'organizations',
    description: 'The claim that lists the ids of the organizations a caller sees, or is `*` for all.',
  },
] as const;

type Name = (typeof callerAuthSettings)[number]['name'];

/** What is read through; the names are of these settings alone. */
interface SettingReader {
  problems: string[];
  optional(name: Name): string | undefined;
  text(name: Name, otherwise: string): string;
  oneOf<Value extends string>(name: Name, values: readonly Value[], otherwise: Value): Value;
}

const kinds = ['open', 'api-key', 'jwt', 'platform'] as const;

export function readCallerAuth(reader: SettingReader, host: string): CallerAuth {
  const kind = reader.oneOf('CALLER_AUTH', kinds, 'open');
  if (kind === 'open') checkOpen(reader, host);
  if (kind === 'api-key') return { kind, file: readNeeded(reader, 'API_KEYS_FILE', kind) };
  if (kind !== 'jwt') return { kind };
  return {
    kind,
    issuer: readNeeded(reader, 'JWT_ISSUER', kind),
    audience: readNeeded(reader, 'JWT_AUDIENCE', kind),
    jwksUrl: readKeysUrl(reader, kind),
    scopesClaim: reader.text('JWT_SCOPES_CLAIM', 'scope'),
    organizationsClaim: reader.text('JWT_ORGANIZATIONS_CLAIM', 'organizations'),
  };
}

function readNeeded(reader: SettingReader, name: Name, kind: CallerAuth['kind']): string {
  const value = reader.optional(name);
  if (value === undefined) reader.problems.push(`${name}: is missing; CALLER_AUTH=${kind} needs it.`);
  return value ?? '';
}

/** Whoever can change the keys on their way can forge every token. */
function readKeysUrl(reader: SettingReader, kind: CallerAuth['kind']): string {
  const text = readNeeded(reader, 'JWKS_URL', kind);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname));
  if (text !== '' && !isSafe) reader.problems.push('JWKS_URL: is no https address, nor http on loopback.');
  return text;
}

function checkOpen(reader: SettingReader, host: string): void {
  if (isLoopback(host) || reader.optional('CALLER_AUTH_OPEN') === 'yes-really') return;
  reader.problems.push(
    `HOST: ${host} can be reached from elsewhere, and CALLER_AUTH=open lets everybody in. ` +
      'Set CALLER_AUTH_OPEN=yes-really if that is meant.',
  );
}
