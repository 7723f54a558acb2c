/** Ids in both forms, and the errors for other strings. */
import { describe, expect, it } from 'vitest';
import {
  nodeTypes,
  readId,
  readNodeId,
  readOptionalId,
  toNodeId,
  toStreamSampleId,
} from '../../../../src/graphql/arguments/nodeId.js';

const sampleTypes = ['ScalarSample', 'RfidSample'] as const;
const entityTypes = nodeTypes.filter((type) => !sampleTypes.some((sample) => sample === type));

const notIds = [
  '',
  ':',
  'Site:',
  ':1',
  '0',
  '01',
  '-1',
  '+1',
  '1.0',
  '1e3',
  ' 1',
  '1 ',
  '١',
  '0x10',
  '9007199254740992',
];

describe('readId', () => {
  it('accepts the typed and the plain form', () => {
    expect(readId('Site', 'Site:16828', 'id')).toBe(16828);
    expect(readId('Site', '16828', 'id')).toBe(16828);
    expect(readId('Site', '9007199254740991', 'id')).toBe(Number.MAX_SAFE_INTEGER);
  });

  it.each(sampleTypes)('accepts the id of a %s with and without its stream', (type) => {
    for (const text of ['7', `${type}:7`, `${type}:88001:7`]) expect(readId(type, text, 'after')).toBe(7);
  });

  it.each([
    '88001:7',
    'ScalarSample:0:7',
    'ScalarSample:9007199254740992:7',
    'ScalarSample:1:2:3',
    'RfidSample:1:2',
  ])('refuses %j as the id of a number', (text) => {
    expect(() => readId('ScalarSample', text, 'after')).toThrow(
      /^after: .* is not a ScalarSample id such as "ScalarSample:88001:90210" or "90210"\.$/,
    );
  });

  it.each([...notIds, 'Device:1', 'site:1', 'Site:0', 'Site:1:2', 'Site:Site:1'])('refuses %j', (text) => {
    expect(() => readId('Site', text, 'filter.siteId')).toThrow(/^filter\.siteId: .* is not a Site id/);
    expect(() => readId('Site', text, 'id')).toThrow(expect.objectContaining({ code: 'BAD_USER_INPUT' }));
  });
});

it.each([
  ['Organization', 'an Organization'],
  ['ImageSample', 'an ImageSample'],
  ['User', 'a User'],
])('the refusal of an id of %s has the right article', (type, words) => {
  expect(() => readId(type, 'Site:1', 'id')).toThrow(`id: "Site:1" is not ${words} id such as`);
});

describe('readOptionalId', () => {
  it('is undefined only without an id', () => {
    expect(readOptionalId('Site', undefined, 'after')).toBeUndefined();
    expect(readOptionalId('Site', null, 'after')).toBeUndefined();
    expect(readOptionalId('Site', 'Site:2', 'after')).toBe(2);
    expect(() => readOptionalId('Site', '', 'after')).toThrow(/^after: /);
  });
});

describe('readNodeId', () => {
  it.each(entityTypes)('reads the result of toNodeId for %s', (type) => {
    expect(readNodeId(toNodeId(type, 7), 'id')).toEqual({ type, id: 7 });
  });

  it.each(sampleTypes)('reads the result of toStreamSampleId for %s', (type) => {
    const id = { type, streamId: 88001, id: 7 };
    expect(readNodeId(toStreamSampleId(id), 'id')).toEqual(id);
  });

  it.each([...notIds, '1', 'Nothing:1', 'constructor:1', 'ScalarSample:1', 'ImageSample:1:2'])(
    'refuses %j',
    (text) => {
      expect(() => readNodeId(text, 'ids[3]')).toThrow(/^ids\[3\]: /);
    },
  );
});
