/** The credential and the switch "Explain": valid for all tabs, until the browser's tab is closed. */

const CREDENTIAL = 'fieldgraph:credential';
const EXPLAIN = 'fieldgraph:explain';

/** Reads session storage, or memory if the browser forbids it. */
const memory = new Map<string, string>();

function read(key: string): string {
  try {
    return window.sessionStorage.getItem(key) ?? '';
  } catch {
    return memory.get(key) ?? '';
  }
}

function write(key: string, value: string): void {
  try {
    window.sessionStorage.setItem(key, value);
  } catch {
    memory.set(key, value);
  }
}

export const session = {
  credential: () => read(CREDENTIAL),
  setCredential: (text: string) => write(CREDENTIAL, text.trim()),
  isExplaining: () => read(EXPLAIN) === 'on',
  setExplaining: (isOn: boolean) => write(EXPLAIN, isOn ? 'on' : ''),
};

/**
 * The value of the header `Authorization`; empty without a credential. An API key, a token, `KEY:SECRET` of the platform, or
 * a whole value such as `Bearer …`.
 */
function toAuthorization(credential: string): string {
  if (credential === '' || /^(bearer|basic) /i.test(credential)) return credential;
  return credential.includes(':') ? `Basic ${toBase64(credential)}` : `Bearer ${credential}`;
}

/** Base64 of UTF-8. `btoa` alone takes Latin-1. */
function toBase64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}

/** The headers that the page adds to each operation. */
export function sessionHeaders(): Record<string, string> {
  const authorization = toAuthorization(session.credential());
  return authorization === '' ? {} : { Authorization: authorization };
}
