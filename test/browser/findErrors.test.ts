/** The errors that the explorer shows beside the JSON of a response. */
import { expect, it } from 'vitest';
import { findErrors } from '../../explorer/views/findErrors.js';

it('contain the reasons why changes were refused', () => {
  const unread = { message: 'The platform is unavailable.', path: ['first', 'site'] };
  const refused = { field: ['attributes', '0'], code: 'NOT_FOUND', message: 'No such attribute.' };
  const response = {
    data: {
      first: { site: null, userErrors: [] },
      second: { userErrors: [refused, { message: 'No.' }] },
      third: null,
    },
    errors: [unread],
  };
  expect(findErrors(response)).toEqual([
    unread,
    { message: refused.message, path: ['second', ...refused.field], extensions: { code: 'NOT_FOUND' } },
    { message: 'No.', path: ['second'], extensions: {} },
  ]);
});

it.each([
  null,
  'text',
  [],
  { data: null },
  { data: { site: 1, sites: { userErrors: 'none' } } },
  { errors: [null] },
])('are none in %j', (response) => {
  expect(findErrors(response)).toEqual([]);
});
