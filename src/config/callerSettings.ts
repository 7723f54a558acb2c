/** Settings of callers and their authentication. */
import { isLoopback } from '../lib/loopback.js';
import { oneOf, optional, SettingError, text } from './setting.js';

const callerAuthKinds = ['open', 'api-key', 'jwt', 'platform'] as const;

export const callerSettings = {
  CALLER_AUTH: oneOf(callerAuthKinds, {
    default: 'open',
    description: 'How callers authenticate: `open` (they do not), `api-key`, `jwt` or `platform`.',
  }),
  CALLER_AUTH_OPEN: optional({
    description: '`yes-really` lets CALLER_AUTH=open start on an address other than loopback.',
  }),
  API_KEYS_FILE: optional({
    description: 'File of the keys for CALLER_AUTH=api-key. It is read again when it changes.',
  }),
  JWT_ISSUER: optional({
    description: 'Issuer of the tokens for CALLER_AUTH=jwt, exactly as their claim `iss` has it.',
  }),
  JWT_AUDIENCE: optional({ description: 'Audience of the tokens: their claim `aud` must contain it.' }),
  JWKS_URL: optional({
    description: "Address of the issuer's public keys: https, or http on loopback.",
    parse: parseKeysUrl,
  }),
  JWT_SCOPES_CLAIM: text({
    default: 'scope',
    description: 'Claim that contains the scopes `read` and `write`.',
  }),
  JWT_ORGANIZATIONS_CLAIM: text({
    default: 'organizations',
    description: 'Claim that lists the ids of the organizations that a caller may see, or is `*` for all.',
  }),
};

/** Requires https: an attacker who changes the keys in transit could forge tokens. */
function parseKeysUrl(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname));
  if (isSafe) return value;
  throw new SettingError('must be an https address, or http on loopback.');
}
