/** The media type of a response without a stream. */
import { expect, it } from 'vitest';
import { chooseJsonType } from '../../../../src/http/responses/mediaTypes.js';

const JSON_TYPE = 'application/json; charset=utf-8';
const GRAPHQL_TYPE = 'application/graphql-response+json; charset=utf-8';

it.each([
  ['no header', undefined, JSON_TYPE],
  ['curl', '*/*', JSON_TYPE],
  ['Apollo Client', 'application/graphql-response+json,application/json;q=0.9', GRAPHQL_TYPE],
  ['urql', 'application/graphql-response+json, application/graphql+json, application/json', GRAPHQL_TYPE],
  [
    'subscriptions of Apollo Client',
    'multipart/mixed;boundary=graphql;subscriptionSpec=1.0,application/graphql-response+json,application/json;q=0.9',
    GRAPHQL_TYPE,
  ],
  ['capital letters', 'Application/GraphQL-Response+JSON', GRAPHQL_TYPE],
  ['a client that prefers JSON', 'application/graphql-response+json;q=0.5, application/json', JSON_TYPE],
  ['a client that names JSON first', 'application/json, application/graphql-response+json', JSON_TYPE],
  ['a client that prefers anything else', 'application/graphql-response+json;q=0.5, */*', JSON_TYPE],
  ['a client that takes anything', '*/*, application/graphql-response+json', GRAPHQL_TYPE],
  ['a client that refuses the type', 'application/graphql-response+json;q=0, */*', JSON_TYPE],
])('by Accept of %s', (_, accept, type) => {
  expect(chooseJsonType(accept)).toBe(type);
});
