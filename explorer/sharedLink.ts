/** Links that open an operation. They contain the operation and its variables, never a credential. */
import type { RestoredTab } from './storage.js';

const HASH = '#operation=';

/** The link is in the fragment, which browsers send to no server. */
export function createLink(
  address: string,
  { query, variables }: { query: string; variables: string },
): string {
  const url = new URL(address);
  url.hash = `${HASH}${encodeURIComponent(JSON.stringify([query, variables]))}`;
  return url.href;
}

/** Undefined if the address has no operation. */
export function readLink(address: string): RestoredTab | undefined {
  const { hash } = new URL(address);
  if (!hash.startsWith(HASH)) return undefined;
  try {
    const parsed: unknown = JSON.parse(decodeURIComponent(hash.slice(HASH.length)));
    const [initialQuery, initialVariables] = Array.isArray(parsed) ? parsed : [];
    return typeof initialQuery === 'string' && typeof initialVariables === 'string'
      ? { initialQuery, initialVariables }
      : undefined;
  } catch {
    return undefined;
  }
}
