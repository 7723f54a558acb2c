/** Stores the state of GraphiQL and of the page, separate from other pages of the origin. The history has no API keys. */
import type { Storage } from '@graphiql/toolkit';
import type { TabContent } from './sharedLink.js';

/** Avoids restoring tabs of another GraphiQL that used the same origin, such as `localhost:4000`. */
const PREFIX = 'fieldgraph:';

/** GraphiQL stores request headers in its history even with `shouldPersistHeaders={false}`. */
const HISTORY_KEYS = new Set(['graphiql:queries', 'graphiql:favorites']);

/** A broken value of these keys would stop the page. */
const JSON_KEYS = new Set([...HISTORY_KEYS, 'graphiql:tabState', 'filled']);

/** The value of a key of the history is an object with a list under the last part of the key. */
function isUsable(key: string, text: string): boolean {
  try {
    const value = JSON.parse(text) as Record<string, unknown> | null;
    return HISTORY_KEYS.has(key)
      ? Array.isArray(value?.[key.replace('graphiql:', '')])
      : typeof value === 'object' && value !== null;
  } catch {
    return false;
  }
}

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

/** Treats broken values as absent, and keeps in memory values for which `inner` has no space. */
function createPrefixedStorage(inner: globalThis.Storage): Storage {
  const unsaved = createMemoryStorage();
  const ownKeys = () => Object.keys(inner).filter((key) => key.startsWith(PREFIX));
  return {
    getItem(key) {
      const value = unsaved.getItem(key) ?? inner.getItem(PREFIX + key);
      return value !== null && JSON_KEYS.has(key) && !isUsable(key, value) ? null : value;
    },
    setItem(key, value) {
      const saved = HISTORY_KEYS.has(key) ? withoutHeaders(value) : value;
      try {
        inner.setItem(PREFIX + key, saved);
        unsaved.removeItem(key);
      } catch {
        unsaved.setItem(key, saved);
      }
    },
    removeItem(key) {
      unsaved.removeItem(key);
      inner.removeItem(PREFIX + key);
    },
    clear() {
      unsaved.clear();
      for (const key of ownKeys()) inner.removeItem(key);
    },
    get length() {
      return ownKeys().length;
    },
  };
}

/** Uses local storage (between visits) or session storage (of a tab), or memory if the browser forbids it. */
export function createExplorerStorage(name: 'localStorage' | 'sessionStorage'): Storage {
  try {
    window[name].getItem(PREFIX);
    return createPrefixedStorage(window[name]);
  } catch {
    return createMemoryStorage();
  }
}

/** The tabs in GraphiQL's format. */
interface Tabs {
  activeTabIndex: number;
  tabs: { query: string | null; variables?: string | null }[];
}

/** Undefined if there is no tab. */
export function findActiveTab({ tabs, activeTabIndex }: Tabs): TabContent | undefined {
  const active = tabs[activeTabIndex];
  return active && { query: active.query ?? '', variables: active.variables ?? '' };
}

/**
 * Returns the active tab of the last visit; undefined on a first visit. GraphiQL stores its editors separately from its
 * tabs. If an editor was never changed, GraphiQL finds no matching tab and would open an empty one.
 */
export function readActiveTab(storage: Storage): TabContent | undefined {
  try {
    return findActiveTab(JSON.parse(storage.getItem('graphiql:tabState') ?? ''));
  } catch {
    return undefined;
  }
}
