/** Reads how callers authenticate, and refuses combinations that are incomplete or unsafe. */
import type { CallerAuth } from '../http/auth/authenticator.js';
import { isLoopback } from '../lib/loopback.js';
import type { ParsedSettings, SettingValues } from './settings.js';

type CallerAuthNeed = 'API_KEYS_FILE' | 'JWT_ISSUER' | 'JWT_AUDIENCE' | 'JWKS_URL';

/** Adds to `problems` the settings that are missing, and an open gateway that other machines can reach. */
export function readCallerAuth({ values, problems, isSet }: ParsedSettings): CallerAuth {
  const kind = values.CALLER_AUTH;
  const need = (name: CallerAuthNeed): string => {
    if (!isSet(name)) problems.push(`${name}: is missing; CALLER_AUTH=${kind} requires it.`);
    return values[name] ?? '';
  };
  if (kind === 'open') checkOpen(values, problems);
  if (kind === 'api-key') return { kind, file: need('API_KEYS_FILE') };
  if (kind !== 'jwt') return { kind };
  return {
    kind,
    issuer: need('JWT_ISSUER'),
    audience: need('JWT_AUDIENCE'),
    jwksUrl: need('JWKS_URL'),
    scopesClaim: values.JWT_SCOPES_CLAIM,
    organizationsClaim: values.JWT_ORGANIZATIONS_CLAIM,
  };
}

function checkOpen({ HOST, CALLER_AUTH_OPEN }: SettingValues, problems: string[]): void {
  if (isLoopback(HOST) || CALLER_AUTH_OPEN === 'yes-really') return;
  problems.push(
    `HOST: other machines can reach ${HOST}, and CALLER_AUTH=open answers everyone. ` +
      'Make a key: API_KEYS_FILE=keys.json npx fieldgraph api-key --name NAME --scopes read. ' +
      'Then start with CALLER_AUTH=api-key API_KEYS_FILE=keys.json. ' +
      'To answer everyone instead, set CALLER_AUTH_OPEN=yes-really.',
  );
}
