/** The credential and the switch "Explain": valid for all tabs, until the browser's tab is closed. */
import { toAuthorization } from './credential.js';
import { createExplorerStorage } from './storage.js';

const CREDENTIAL = 'credential';
const EXPLAIN = 'explain';

const storage = createExplorerStorage('sessionStorage');
const read = (key: string) => storage.getItem(key) ?? '';

/** The credential of the newest request. */
let applied = read(CREDENTIAL);

export const session = {
  credential: () => read(CREDENTIAL),
  setCredential: (text: string) => storage.setItem(CREDENTIAL, text.trim()),
  /** Returns whether the credential has changed since the last call. */
  applyCredential(): boolean {
    const isChanged = applied !== read(CREDENTIAL);
    applied = read(CREDENTIAL);
    return isChanged;
  },
  isExplaining: () => read(EXPLAIN) === 'on',
  setExplaining: (isOn: boolean) => storage.setItem(EXPLAIN, isOn ? 'on' : ''),
};

/** The headers that the page adds to each operation. */
export function sessionHeaders(): Record<string, string> {
  const authorization = toAuthorization(session.credential());
  return authorization === '' ? {} : { Authorization: authorization };
}
