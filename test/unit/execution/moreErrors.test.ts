/** The error in place of those that a response does not list. */
import { makeExecutableSchema } from '@graphql-tools/schema';
import { parse } from 'graphql';
import { expect, it } from 'vitest';
import { GatewayError } from '../../../src/errors.js';
import { createExecutor } from '../../../src/execution/executor.js';
import { formatError } from '../../../src/graphql/apollo/formatError.js';

const schema = makeExecutableSchema({
  typeDefs: 'type Query { items: [Item] } type Item { broken(retryable: Boolean!): Int }',
  resolvers: {
    Query: { items: () => Array.from({ length: 1001 }, () => ({})) },
    Item: {
      broken(_, { retryable }: { retryable: boolean }) {
        throw new GatewayError('PLATFORM_UNAVAILABLE', 'It fails.', { retryable });
      },
    },
  },
});

it.each([
  ['compiled', true, ''],
  ['compiled', false, ''],
  ['graphql-js', true, '__schema { queryType { name } }'],
  ['graphql-js', false, '__schema { queryType { name } }'],
])('is retryable as the first of these (%s, %s)', async (_, retryable, introspection) => {
  const document = parse(`{ ${introspection} items { broken(retryable: ${retryable}) } }`);
  const { errors = [] } = await createExecutor(schema)({ document, contextValue: {} });
  expect(errors).toHaveLength(1001);
  const last = errors[1000];
  expect(last && formatError(last.toJSON(), last)).toEqual({
    message: expect.stringMatching(/more than 1000 errors/),
    extensions: { code: 'TOO_MANY_ERRORS', retryable },
  });
});
