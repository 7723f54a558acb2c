/** The parameters that Apollo Server receives. */
import type { IncomingMessage } from 'node:http';
import { expect, it } from 'vitest';
import { searchWithText, withText } from '../../../../src/http/requests/operationRequest.js';

const TEXT = '{ __typename }';
const ENCODED = '?query=%7B+__typename+%7D';
const search = (method: string, url: string) => searchWithText({ method, url } as IncomingMessage, TEXT);

it('the text of a document is added to the parameters of a GET that has none', () => {
  expect(search('GET', '/graphql')).toBe(ENCODED);
  expect(search('GET', '/graphql?query=')).toBe(ENCODED);
  expect(search('GET', '/graphql?query={a}')).toBe('?query={a}');
});

it('the text of a document is not encoded for a POST, which has it in its body', () => {
  expect(search('POST', '/graphql')).toBe('');
  const body = { query: TEXT };
  expect(withText(body, TEXT)).toBe(body);
  expect(withText({ documentId: 'x-app:1' }, TEXT)).toEqual({ documentId: 'x-app:1', query: TEXT });
});
