/** The organization of sites for which the platform names none. Callers that are restricted to one depend on it. */
import { expect, it } from 'vitest';
import { createOrganizations } from '../../../../src/sources/entities/organizations.js';
import { createComputedRest, createReaders } from '../../../support/rest/readerParts.js';

const one = { id: 310, account_id: 1, display_name: 'Water' };
const other = { id: 311, account_id: 1, display_name: 'Weather' };
const unusable = { account_id: 1, display_name: 'An id that is not usable', id: 'none' };
const MAX_LIST_LENGTH = 3;

it.each([
  ['one organization', [one], 310],
  ['several organizations', [one, other], null],
  ['an organization whose row is unusable', [one, unusable], null],
  ['rows that fill the longest list', [one, unusable, unusable], null],
  ['no organization', [], null],
])('in an account with %s', async (_, rows, expected) => {
  const { rest } = createComputedRest(() => rows);
  const { createReader } = createReaders({ maxListLength: MAX_LIST_LENGTH });
  const organizations = createOrganizations(rest, createReader());
  expect(await organizations.idOfSite({ organizationId: null })).toBe(expected);
  expect((await organizations.ofSite({ organizationId: null }))?.id ?? null).toBe(expected);
});
