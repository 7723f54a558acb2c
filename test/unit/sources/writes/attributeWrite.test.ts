/** Errors in the input of a write of custom attributes. */
import { expect, it } from 'vitest';
import { type AttributeEntry, planAttributeWrite } from '../../../../src/sources/writes/attributeWrite.js';
import type { UserError } from '../../../../src/sources/writes/userErrors.js';

/** Entries for one attribute. NaN stands for an invalid id of a site. */
function check(...parentIds: number[]): string[] {
  return checkEntries(parentIds.map((parentId) => ({ parentId, attributeId: 7, name: null, value: 'x' })));
}

function checkEntries(entries: readonly AttributeEntry[]): string[] {
  return findErrors(entries).map(({ field, code }) => `${field.join('.')} ${code}`);
}

function findErrors(entries: readonly AttributeEntry[]): UserError[] {
  return planAttributeWrite({
    entries,
    parent: { field: 'siteId', name: 'site' },
    knownParents: new Set([1, 2]),
    knownAttributes: [
      { id: 7, name: 'Owner' },
      { id: 8, name: 'Same' },
      { id: 9, name: 'Same' },
    ],
  }).errors;
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

it.each([
  [[], 'Add at least one entry.'],
  [[{ attributeId: 7, name: 'Owner' }], 'Set either `attributeId` or `name`, not both.'],
  [[{ attributeId: null, name: null }], 'Set `attributeId` or `name`.'],
])('says how to correct %j', (entries, message) => {
  const errors = findErrors(entries.map((entry) => ({ ...entry, parentId: 1, value: 'x' })));
  expect(errors.map((error) => error.message)).toEqual([message]);
});

it('accepts ten thousand entries', () => {
  const tooMany = Array.from({ length: 10_001 }, () => Number.NaN);
  expect(check(...tooMany.slice(1))).not.toContain('attributes TOO_MANY');
  expect(check(...tooMany)[0]).toBe('attributes TOO_MANY');
});
