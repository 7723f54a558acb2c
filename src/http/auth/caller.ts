/** Who calls and what that one may do: the one shape in which the rest of the gateway knows its callers. */
import { createHash } from 'node:crypto';
import type { Scope } from '../../graphql/scopes.js';
import type { ApiKeyEntry } from './apiKeys.js';
import type { ProvidedCredential } from './providedCredential.js';

export interface Caller {
  /** Who it is, for the log: the key's name, the token's subject. */
  name: string;
  /** Tells it from all others, from whatever address it calls; undefined where nothing does. */
  id?: string | undefined;
  scopes: ReadonlySet<Scope>;
  /** The organizations it is held to; undefined where it sees the whole account. */
  organizationIds: ReadonlySet<number> | undefined;
  /** What it calls the platform with; undefined where the gateway's own credential does. */
  credential?: CallerCredential | undefined;
}

/** A caller's own access to the platform. */
export type CallerCredential =
  | { kind: 'client'; key: string; secret: string }
  | { kind: 'token'; token: string };

export interface Authenticator {
  /** Throws or rejects with UNAUTHENTICATED, FORBIDDEN or AUTHENTICATION_UNAVAILABLE. */
  authenticate(credential: ProvidedCredential): Caller | Promise<Caller>;
  /** Calls the listener with the API keys at once and after each change of their file; absent without API keys. */
  watchKeys?(listener: OnKeys): void;
  close(): void;
}

export type OnKeys = (keys: readonly Pick<ApiKeyEntry, 'name' | 'organizations'>[]) => void;

/** Tells whether two looks at one credential found the same rights. */
export function hasSameRights(one: Caller, other: Caller): boolean {
  return describeRights(one) === describeRights(other);
}

function describeRights({ name, scopes, organizationIds }: Caller): string {
  return JSON.stringify([name, [...scopes].sort(), organizationIds ? [...organizationIds].sort() : 'all']);
}

/** The caller as log lines name it. Platform credentials are named by a fingerprint, since no line may hold a key. */
export function toLogName({ name, credential }: Caller): string {
  if (credential === undefined) return name.slice(0, MAX_LOG_NAME_LENGTH);
  const [kind, secret] =
    credential.kind === 'client' ? ['platform key', credential.key] : ['platform token', credential.token];
  return `${kind} ${createHash('sha256').update(secret).digest('hex').slice(0, FINGERPRINT_DIGITS)}`;
}

const MAX_LOG_NAME_LENGTH = 200;
const FINGERPRINT_DIGITS = 12;
