/** Links that open an operation. They contain the operation and its variables, never a credential. */

const HASH = '#operation=';

/** The content of a link, for the editors. */
interface LinkedTab {
  initialQuery: string;
  initialVariables: string;
}

/** The link is in the fragment, which browsers send to no server. */
export function createLink(
  address: string,
  { query, variables }: { query: string; variables: string },
): string {
  const url = new URL(address);
  url.hash = `${HASH}${encodeURIComponent(JSON.stringify([query, variables]))}`;
  return url.href;
}

/** The parameters of links to GraphiQL on other servers. */
const PARAMETERS = ['query', 'variables', 'operationName'];

/** Undefined if the address has no operation. */
export function readLink(address: string): LinkedTab | 'damaged' | undefined {
  const { hash, searchParams } = new URL(address);
  if (hash.startsWith(HASH)) return parseFragment(hash.slice(HASH.length));
  const initialQuery = searchParams.get('query');
  return initialQuery === null
    ? undefined
    : { initialQuery, initialVariables: searchParams.get('variables') ?? '' };
}

function parseFragment(text: string): LinkedTab | 'damaged' {
  try {
    const parsed: unknown = JSON.parse(decodeURIComponent(text));
    const [initialQuery, initialVariables] = Array.isArray(parsed) ? parsed : [];
    return typeof initialQuery === 'string' && typeof initialVariables === 'string'
      ? { initialQuery, initialVariables }
      : 'damaged';
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
