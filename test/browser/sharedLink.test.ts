/** Links to operations of the explorer. */
import { describe, expect, it } from 'vitest';
import { createLink, readLink, removeLink } from '../../explorer/sharedLink.js';

const ADDRESS = 'https://gateway.example/?theme=dark';
const operation = { query: 'query A($a: String) { a(a: "ü#&") }', variables: '{ "a": "%" }' };

describe('a link to an operation', () => {
  it('opens what it was created from', () => {
    const link = createLink(ADDRESS, operation);
    expect(readLink(link)).toEqual(operation);
    expect(removeLink(link)).toBe(ADDRESS);
  });

  it('can have the parameters of GraphiQL', () => {
    const link = `${ADDRESS}&${new URLSearchParams({ ...operation, operationName: 'A' })}`;
    expect(readLink(link)).toEqual(operation);
    expect(removeLink(link)).toBe(ADDRESS);
    expect(readLink('https://gateway.example/?query={a}')).toEqual({ query: '{a}', variables: '' });
  });

  it.each(['', '%', '[', '{}', '[1,""]', '["a"]'])('is damaged with the content %j', (content) => {
    expect(readLink(`${ADDRESS}#operation=${content}`)).toBe('damaged');
  });

  it('is absent from other addresses', () => {
    expect(readLink(`${ADDRESS}#query`)).toBeUndefined();
  });
});
