/** What GraphiQL keeps between visits, apart from other pages of this origin and without anybody's API key. */
import type { Storage } from '@graphiql/toolkit';

/** `localhost:4000` has been the address of many a GraphiQL; their tabs are not ours. */
const PREFIX = 'fieldgraph:';

/** GraphiQL writes the headers of each request into its history even where it is told not to keep headers. */
const HISTORY_KEYS = new Set(['graphiql:queries', 'graphiql:favorites']);

function withoutHeaders(history: string): string {
  return JSON.stringify(JSON.parse(history), (key, value: unknown) =>
    key === 'headers' ? undefined : value,
  );
}

function createMemoryStorage(): Storage {
  const items = new Map<string, string>();
  return {
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, value),
    removeItem: (key) => void items.delete(key),
    clear: () => items.clear(),
    get length() {
      return items.size;
    },
  };
}

function createPrefixedStorage(inner: globalThis.Storage): Storage {
  const ownKeys = () => Object.keys(inner).filter((key) => key.startsWith(PREFIX));
  return {
    getItem: (key) => inner.getItem(PREFIX + key),
    setItem: (key, value) =>
      inner.setItem(PREFIX + key, HISTORY_KEYS.has(key) ? withoutHeaders(value) : value),
    removeItem: (key) => inner.removeItem(PREFIX + key),
    clear() {
      for (const key of ownKeys()) inner.removeItem(key);
    },
    get length() {
      return ownKeys().length;
    },
  };
}

/** Local storage, or memory for this visit where the browser forbids it. */
export function createExplorerStorage(): Storage {
  try {
    return createPrefixedStorage(window.localStorage);
  } catch {
    return createMemoryStorage();
  }
}

/** The content of a tab as GraphiQL's editors start with it. */
export interface RestoredTab {
  initialQuery: string;
  initialVariables: string;
}

interface StoredTabs {
  activeTabIndex: number;
  tabs: { query: string | null; variables: string | null }[];
}

/**
 * The tab that was open when the last visit ended; undefined on a first visit. GraphiQL remembers its editors
 * apart from its tabs and, where one of them was never touched, finds no tab that fits and opens an empty one.
 */
export function readActiveTab(storage: Storage): RestoredTab | undefined {
  try {
    const { tabs, activeTabIndex }: StoredTabs = JSON.parse(storage.getItem('graphiql:tabState') ?? '');
    const active = tabs[activeTabIndex];
    return active && { initialQuery: active.query ?? '', initialVariables: active.variables ?? '' };
  } catch {
    return undefined;
  }
}
