/** The values that the explorer fills into variables. */
import { expect, it } from 'vitest';
import { refreshVariables } from '../../../explorer/filledValues.js';

const initial = { siteId: 'Site:1', from: 'never' };

/** A storage with the variables of one tab; `variables()` reads them. */
function createStorage(variables: object) {
  const items = new Map([
    ['graphiql:variables', JSON.stringify(variables)],
    ['graphiql:tabState', JSON.stringify({ tabs: [{ variables: JSON.stringify(variables) }] })],
  ]);
  return {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    variables() {
      const editor = JSON.parse(items.get('graphiql:variables') ?? '') as object;
      const { tabs } = JSON.parse(items.get('graphiql:tabState') ?? '') as { tabs: { variables: string }[] };
      expect(JSON.parse(tabs[0]?.variables ?? '')).toEqual(editor);
      return editor;
    },
  };
}

it('the filled values are the initial ones on a first visit that finds none, and are replaced when some are found', () => {
  const storage = createStorage({ id: 'Site:1' });
  expect(refreshVariables(storage, initial, { from: 'Monday' })).toEqual({
    siteId: 'Site:1',
    from: 'Monday',
  });
  expect(refreshVariables(storage, initial, { siteId: 'Site:7', from: 'Tuesday' })).toEqual({
    siteId: 'Site:7',
    from: 'Tuesday',
  });
  expect(storage.variables()).toEqual({ id: 'Site:7' });
});

it('the filled values stay where a later visit finds none, and the user keeps own values', () => {
  const storage = createStorage({ id: 'Site:7', from: 'Monday', own: 'Site:1' });
  refreshVariables(storage, initial, { siteId: 'Site:7', from: 'Monday' });
  expect(refreshVariables(storage, initial, { from: 'Tuesday' })).toEqual({
    siteId: 'Site:7',
    from: 'Tuesday',
  });
  expect(storage.variables()).toEqual({ id: 'Site:7', from: 'Tuesday', own: 'Site:1' });
  refreshVariables(storage, initial, { siteId: 'Site:8', from: 'Wednesday' });
  expect(storage.variables()).toEqual({ id: 'Site:8', from: 'Wednesday', own: 'Site:1' });
});
