/** Which entries of a write of custom attributes count as duplicates. */
import { expect, it } from 'vitest';
import { planAttributeWrite } from '../../../../src/sources/writes/attributeWrite.js';

/** Entries for one attribute. NaN stands for an invalid id of a site. */
function check(...parentIds: number[]): string[] {
  const { errors } = planAttributeWrite({
    entries: parentIds.map((parentId) => ({ parentId, attributeId: 7, name: null, value: 'x' })),
    parent: { field: 'siteId', name: 'site' },
    knownParents: new Set([1, 2]),
    knownAttributes: [{ id: 7, name: 'Owner' }],
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
