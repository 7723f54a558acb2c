/** Which uses of `@defer` and `@stream` are refused. */
import { parse, validate } from 'graphql';
import { describe, expect, it } from 'vitest';
import { validationRules } from '../../../../src/graphql/documents/incrementalRules.js';
import { createSchema } from '../../../../src/graphql/schema.js';

const schema = createSchema();
const messagesOf = (query: string) =>
  validate(schema, parse(query), validationRules).map(({ message }) => message);

const WRITE = 'setStreamThreshold(input: { streamId: "Stream:1", levels: [] })';

describe('validation', () => {
  it.each([
    [
      'equal labels',
      '{ sites { ... @defer(label: "a") { totalCount } nodes @stream(label: "a") { id } } }',
      'unique',
    ],
    [
      'a label by variable',
      'query ($l: String) { sites { ... @defer(label: $l) { totalCount } } }',
      'static',
    ],
    ['@defer at the root of a mutation', `mutation { ... @defer { ${WRITE} { __typename } } }`, 'root type'],
    [
      '@defer at the root of a subscription',
      'subscription { ... @defer { sampleReceived { __typename } } }',
      'root type',
    ],
    [
      '@defer in a subscription',
      'subscription { sampleReceived { ... @defer { __typename } } }',
      'in subscriptions',
    ],
    [
      '@defer in a fragment of a subscription',
      'subscription { sampleReceived { ...F } } fragment F on Sample { ... @defer { __typename } }',
      'in subscriptions',
    ],
    ['@stream on a field that is no list', '{ sites @stream { totalCount } }', 'no list'],
  ])('refuses %s', (_, query, message) => {
    expect(messagesOf(query).join()).toContain(message);
  });

  it.each([
    [
      'different labels',
      '{ sites { ... @defer(label: "a") { totalCount } nodes @stream(label: "b") { id } } }',
    ],
    ['@defer below the root of a mutation', `mutation { ${WRITE} { ... @defer { __typename } } }`],
    [
      'a condition in a subscription that can be false',
      'subscription ($d: Boolean!) { sampleReceived { ... @defer(if: $d) { __typename } } }',
    ],
  ])('allows %s', (_, query) => {
    expect(messagesOf(query).filter((message) => /@defer|@stream/.test(message))).toEqual([]);
  });
});
