/** Links that open an operation. They contain the operation and its variables, never a credential. */

const HASH = '#operation=';

/** The content of a tab's editors. */
export interface TabContent {
  query: string;
  /** JSON with comments; may be empty. */
  variables: string;
}

/** The link is in the fragment, which browsers send to no server. */
export function createLink(address: string, { query, variables }: TabContent): string {
  const url = new URL(address);
  url.hash = `${HASH}${encodeURIComponent(JSON.stringify([query, variables]))}`;
  return url.href;
}

/** The parameters of links to GraphiQL on other servers. */
const PARAMETERS = ['query', 'variables', 'operationName'];

/** Undefined if the address has no operation. */
export function readLink(address: string): TabContent | 'damaged' | undefined {
  const { hash, searchParams } = new URL(address);
  if (hash.startsWith(HASH)) return parseFragment(hash.slice(HASH.length));
  const query = searchParams.get('query');
  return query === null ? undefined : { query, variables: searchParams.get('variables') ?? '' };
}

function parseFragment(text: string): TabContent | 'damaged' {
  try {
    const parsed: unknown = JSON.parse(decodeURIComponent(text));
    const [query, variables] = Array.isArray(parsed) ? parsed : [];
    return typeof query === 'string' && typeof variables === 'string' ? { query, variables } : 'damaged';
  } catch {
    return 'damaged';
  }
}

/** The address without fragment and operation. */
export function removeLink(address: string): string {
  const url = new URL(address);
  url.hash = '';
  for (const name of PARAMETERS) url.searchParams.delete(name);
  return url.href;
}
