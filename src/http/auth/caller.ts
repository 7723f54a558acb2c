/** An authenticated caller and its authorization, independent of the kind of credential. */
import { createHash } from 'node:crypto';
import { GatewayError, hasCode } from '../../errors.js';
import type { Authorization } from '../../graphql/scopes.js';
import type { ApiKeyEntry } from './apiKeys.js';
import type { ProvidedCredential } from './providedCredential.js';

export interface Caller extends Authorization {
  /** For the log: the name of the API key or the subject of the token. */
  name: string;
  /** Unique id, independent of the address; undefined for anonymous callers. */
  id?: string | undefined;
  /** The caller's own platform credential; undefined if the gateway's credential is used. */
  credential?: CallerCredential | undefined;
}

export type CallerCredential =
  | { kind: 'client'; key: string; secret: string }
  | { kind: 'token'; token: string };

export interface Authenticator {
  /** Throws or rejects with UNAUTHENTICATED, FORBIDDEN or AUTHENTICATION_UNAVAILABLE. */
  authenticate(credential: ProvidedCredential): Caller | Promise<Caller>;
  /** Calls the listener now and after each change of the file of API keys; absent without API keys. */
  watchKeys?(listener: OnKeys): void;
  /**
   * Rejects with the reason while no caller can be authenticated. Absent if callers can be authenticated from the start.
   */
  checkReady?(): Promise<void>;
  close(): void;
}

export type OnKeys = (keys: readonly Pick<ApiKeyEntry, 'name' | 'organizations'>[]) => void;

/** Whether two verifications of one credential found the same caller with the same authorization. */
export function hasSameRights(one: Caller, other: Caller): boolean {
  return one.name === other.name && toAuthorizationKey(one, '') === toAuthorizationKey(other, '');
}

/**
 * Verifies the credential of an authenticated caller again. Returns the error if it has expired, was revoked, or has other
 * rights; undefined if it is valid, or cannot be verified now.
 */
export async function recheckCaller(
  caller: Caller,
  authenticate: () => Caller | Promise<Caller>,
): Promise<GatewayError | undefined> {
  try {
    if (hasSameRights(await authenticate(), caller)) return undefined;
    return new GatewayError(
      'UNAUTHENTICATED',
      'The authorization of this credential has changed. Try again.',
    );
  } catch (error) {
    return hasCode(error, 'UNAUTHENTICATED') || hasCode(error, 'FORBIDDEN') ? error : undefined;
  }
}

/**
 * Names everything that authorization looks at. Callers with equal keys share cached responses and executions. Every
 * field of the caller is part of it, except those that only name the caller: a new field separates callers until it is
 * listed here. `credentialScope` names the platform credential.
 */
export function toAuthorizationKey(caller: Caller, credentialScope: string): string {
  const { name: _name, id: _id, credential: _credential, ...authorization } = caller;
  return `${credentialScope} ${JSON.stringify(authorization, (_, value) => (value instanceof Set ? [...value].sort() : value))}`;
}

/**
 * The id of an API key, which distinguishes keys with the same name in the log. Undefined if it equals the name, and
 * for platform credentials, whose id is secret.
 */
export function toLogKey({ name, id, credential }: Caller): string | undefined {
  return credential === undefined && id !== name ? id : undefined;
}

const MAX_LOG_NAME_LENGTH = 200;
const FINGERPRINT_DIGITS = 12;

/** Name of the caller in log lines. A platform credential appears as a fingerprint, since the log must contain no key. */
export function toLogName({ name, credential }: Caller): string {
  if (credential === undefined) return name.slice(0, MAX_LOG_NAME_LENGTH);
  const [kind, secret] =
    credential.kind === 'client' ? ['platform key', credential.key] : ['platform token', credential.token];
  return `${kind} ${createHash('sha256').update(secret).digest('hex').slice(0, FINGERPRINT_DIGITS)}`;
}
