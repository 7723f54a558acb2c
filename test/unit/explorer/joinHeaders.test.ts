/** The headers of the explorer's operations. */
import { expect, it } from 'vitest';
import { joinHeaders } from '../../../explorer/requests/joinHeaders.js';

const ofPage = { Authorization: 'Bearer page' };

it.each([{ authorization: 'Bearer editor' }, { Authorization: 'Bearer editor' }, { 'x-api-key': 'fg_1' }])(
  'a credential of the editor replaces that of the page: %j',
  (ofEditor) => {
    expect(joinHeaders(ofPage, ofEditor)).toEqual(ofEditor);
  },
);

it('other headers of the editor are added', () => {
  expect(joinHeaders(ofPage, { 'X-Explain': '1' })).toEqual({ ...ofPage, 'X-Explain': '1' });
  expect(joinHeaders(ofPage)).toEqual(ofPage);
});
