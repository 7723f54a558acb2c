/** The storage of the explorer, where the browser's is full or broken. */
import { expect, it, vi } from 'vitest';

/** Imported by its address, because the types of the tests know no `window`. */
const STORAGE = new URL('../../../explorer/storage.ts', import.meta.url).href;

/** The explorer's storage over an object with the items and methods of local storage. */
async function createStorage(items: Record<string, string>, isFull: () => boolean) {
  const localStorage = Object.create({
    getItem: (key: string) => items[key] ?? null,
    setItem(key: string, value: string) {
      if (isFull()) throw new Error('QuotaExceededError');
      items[key] = value;
    },
    removeItem: (key: string) => delete items[key],
  });
  vi.stubGlobal('window', { localStorage });
  const { createExplorerStorage } = await import(STORAGE);
  const storage = createExplorerStorage('localStorage');
  vi.unstubAllGlobals();
  return storage;
}

it.each([
  ['filled', '{bad', '{}'],
  ['filled', 'null', '{}'],
  ['graphiql:tabState', '{bad', '{"tabs":[]}'],
  ['graphiql:tabState', '"text"', '{"tabs":[]}'],
  ['graphiql:queries', '{bad', '{"queries":[]}'],
  ['graphiql:queries', '{"queries":{}}', '{"queries":[]}'],
  ['graphiql:favorites', '{"queries":[]}', '{"favorites":[]}'],
])('has no value of %s that would stop the page: %s', async (key, broken, usable) => {
  const items = { [`fieldgraph:${key}`]: broken };
  const storage = await createStorage(items, () => false);
  expect(storage.getItem(key)).toBeNull();
  storage.setItem(key, usable);
  expect(storage.getItem(key)).toBe(usable);
  expect(items).toEqual({ [`fieldgraph:${key}`]: usable });
});

it('the storage keeps values while the browser has no space for them', async () => {
  const items: Record<string, string> = { 'fieldgraph:graphiql:query': 'old' };
  let isFull = true;
  const storage = await createStorage(items, () => isFull);
  storage.setItem('graphiql:query', 'new');
  expect(storage.getItem('graphiql:query')).toBe('new');
  expect(items).toEqual({ 'fieldgraph:graphiql:query': 'old' });
  isFull = false;
  storage.setItem('graphiql:query', 'newest');
  expect(storage.getItem('graphiql:query')).toBe('newest');
  expect(items).toEqual({ 'fieldgraph:graphiql:query': 'newest' });
  storage.removeItem('graphiql:query');
  expect(storage.getItem('graphiql:query')).toBeNull();
});
