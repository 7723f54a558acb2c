/** Which uses of `@defer` and `@stream` are refused. */
import { type GraphQLSchema, parse, validate } from 'graphql';
import { type GraphQLSchema as GraphQLSchema17, parse as parse17, validate as validate17 } from 'graphql17';
import { describe, expect, it } from 'vitest';
import { incrementalRules, validationRules } from '../../../../src/graphql/documents/incrementalRules.js';
import { createSchema } from '../../../../src/graphql/schema.js';
import { addAnyDirectives } from '../../../support/execution/incrementalOperation.js';
import { toReferenceSchema } from '../../../support/execution/incrementalReference.js';
import { createRandomOperation } from '../../../support/execution/randomOperation.js';
import { oddSchema } from '../../../support/execution/randomWorld.js';
import { TEST_SEED } from '../../../support/seed.js';

const schema = createSchema();
const messagesOf = (query: string) =>
  validate(schema, parse(query), validationRules).map(({ message }) => message);

const STREAMED = 'stream { site { devices @stream { id } } }';
const overlap = (one: string, other: string) => `{ sites { nodes ${one} { id } nodes ${other} { name } } }`;
const WRITE = 'setStreamThreshold(input: { streamId: "Stream:1", levels: [] })';

const OPERATIONS = 150;
const scalars = (type: string) => (type === 'Int' ? 1 : 'a');
const referenceSchema = toReferenceSchema(schema);

/** The messages of graphql-js 17 about `@defer` and `@stream`. */
function referenceMessagesOf(document: string, reference: GraphQLSchema17 = referenceSchema): string[] {
  const messages = validate17(reference, parse17(document)).map(({ message }) => message);
  return messages.filter((message) => /\b(?:defer|stream)\b(?!Received)/i.test(message));
}

function isRefused(document: string, own: GraphQLSchema = schema): boolean {
  return validate(own, parse(document), incrementalRules).length > 0;
}

describe('validation', () => {
  it('refuses long labels, which are sent with each part', () => {
    const labelled = (length: number) =>
      messagesOf(`{ sites { ... @defer(label: "${'a'.repeat(length)}") { totalCount } } }`);
    expect(labelled(256)).toEqual([]);
    expect(labelled(257)).toEqual(['Argument "@defer(label:)" has more than 256 characters.']);
  });

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
    ['@stream on a field that is not a list', '{ sites @stream { totalCount } }', 'is not a list'],
    ['@stream at the root of a mutation', `mutation { ${WRITE} @stream { __typename } }`, 'root type'],
    [
      '@stream at the root of a subscription',
      'subscription { sampleReceived @stream { __typename } }',
      'root type',
    ],
    ['@stream in a subscription', `subscription { sampleReceived { ${STREAMED} } }`, 'in subscriptions'],
    ['different streams', overlap('@stream(initialCount: 1)', '@stream(initialCount: 2)'), 'conflict'],
    ['equal streams', overlap('@stream', '@stream'), 'conflict'],
    ['a stream beside the list', overlap('@stream', ''), 'conflict'],
    [
      'streams in different fragments',
      '{ sites { ...A ... @defer { nodes { id } } } } fragment A on SiteConnection { nodes @stream { id } }',
      'conflict',
    ],
    [
      'streams of fields that can never both apply',
      '{ nodes(ids: []) { ... on Site { devices @stream { id } } ... on Channel { devices: streams { id } } } }',
      'conflict',
    ],
    [
      'streams below fields that are merged',
      '{ sites { nodes { streams @stream { id } } } ...Q } fragment Q on Query { sites { nodes { streams { id } } } }',
      'conflict',
    ],
  ])('refuses %s, like graphql-js 17', (_, query, message) => {
    expect(messagesOf(query).join()).toContain(message);
    expect(referenceMessagesOf(query)).not.toEqual([]);
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
    ['equal lists with different names', '{ sites { a: nodes @stream { id } b: nodes @stream { id } } }'],
    [
      'a fragment with a stream that is spread twice',
      '{ sites { ...A ...A } } fragment A on SiteConnection { nodes @stream { id } }',
    ],
    ['a list in a list', '{ sites { nodes @stream { streams @stream { id } } } }'],
  ])('allows %s, like graphql-js 17', (_, query) => {
    expect(messagesOf(query).filter((message) => /@defer|@stream/.test(message))).toEqual([]);
    expect(isRefused(query)).toBe(false);
    expect(referenceMessagesOf(query)).toEqual([]);
  });

  it('refuses the random operations that graphql-js 17 refuses', () => {
    const reference = toReferenceSchema(oddSchema);
    let refused = 0;
    for (let seed = TEST_SEED; seed < TEST_SEED + OPERATIONS; seed += 1) {
      const plain = createRandomOperation({ schema: oddSchema, scalars, depth: 4, width: 5, size: 20 }, seed);
      const { query } = addAnyDirectives(oddSchema, plain, seed);
      const isRefusedByReference = referenceMessagesOf(query, reference).length > 0;
      expect(isRefused(query, oddSchema), `seed ${seed}: ${query}`).toBe(isRefusedByReference);
      refused += isRefusedByReference ? 1 : 0;
    }
    expect(refused).toBeGreaterThan(OPERATIONS / 50);
    expect(refused).toBeLessThan(OPERATIONS / 2);
  });
});
