/** One line for the visitor in the bar, which screen readers announce: what an action did, or why it did nothing. */

export const CREDENTIAL_APPLIED = 'Credential applied.';
export const CREDENTIAL_SENT = 'Sent with the new credential.';
export const NOT_EXPLAINED =
  'No explanation: the gateway gives none to callers that are restricted to organizations.';
export const LINK_DAMAGED = 'The link is damaged. No operation was opened from it.';

let text = '';
const listeners = new Set<() => void>();

export const status = {
  read: () => text,
  /** Empty: no message. */
  set(changed: string): void {
    text = changed;
    for (const listener of listeners) listener();
  },
  /** Calls back after every change, until the returned function is called. */
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};
