/** The forms of a credential that a visitor can enter. Pure. */

export type CredentialKind = 'none' | 'token' | 'pair' | 'header';

/** An API key or a token, `KEY:SECRET` of the platform, or a whole value such as `Bearer …`. */
export function credentialKind(credential: string): CredentialKind {
  if (credential === '') return 'none';
  if (/^(bearer|basic) /i.test(credential)) return 'header';
  return credential.includes(':') ? 'pair' : 'token';
}

const authorizations: Readonly<Record<CredentialKind, (credential: string) => string>> = {
  none: () => '',
  token: (token) => `Bearer ${token}`,
  pair: (pair) => `Basic ${toBase64(pair)}`,
  header: (value) => value,
};

/** The value of the header `Authorization`; empty without a credential. */
export function toAuthorization(credential: string): string {
  return authorizations[credentialKind(credential)](credential);
}

/** Base64 of UTF-8. `btoa` alone takes Latin-1. */
function toBase64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}
