/** Duplicates, ambiguous names and too many entries in a write of custom attributes. */
import { expect, it } from 'vitest';
import { type AttributeEntry, planAttributeWrite } from '../../../../src/sources/writes/attributeWrite.js';

/** Entries for one attribute. NaN stands for an invalid id of a site. */
function check(...parentIds: number[]): string[] {
  return checkEntries(parentIds.map((parentId) => ({ parentId, attributeId: 7, name: null, value: 'x' })));
}

function checkEntries(entries: readonly AttributeEntry[]): string[] {
  const { errors } = planAttributeWrite({
    entries,
    parent: { field: 'siteId', name: 'site' },
    knownParents: new Set([1, 2]),
    knownAttributes: [
      { id: 7, name: 'Owner' },
      { id: 8, name: 'Same' },
      { id: 9, name: 'Same' },
    ],
  });
  return errors.map(({ field, code }) => `${field.join('.')} ${code}`);
}

it('reports two entries with one site and one attribute', () => {
  expect(check(1, 2, 1)).toEqual(['attributes.2 DUPLICATE']);
});

it('does not report invalid ids as duplicates of each other', () => {
  expect(check(Number.NaN, Number.NaN)).toEqual([
    'attributes.0.siteId INVALID_ID',
    'attributes.1.siteId INVALID_ID',
  ]);
});

it('refuses a name that several attributes have, and accepts the id of one of them', () => {
  const entry = { parentId: 1, attributeId: null, name: 'Same', value: 'x' };
  expect(checkEntries([entry])).toEqual(['attributes.0.name AMBIGUOUS']);
  expect(checkEntries([{ ...entry, attributeId: 8, name: null }])).toEqual([]);
});

it('accepts ten thousand entries', () => {
  const tooMany = Array.from({ length: 10_001 }, () => Number.NaN);
  expect(check(...tooMany.slice(1))).not.toContain('attributes TOO_MANY');
  expect(check(...tooMany)[0]).toBe('attributes TOO_MANY');
});
