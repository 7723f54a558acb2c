/**
 * Thresholds of streams: the gateway refuses the same input as the platform, all at once, and reads back the result.
 */
import fc from 'fast-check';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readThresholdBody } from '../../src/sandbox/thresholdLevels.js';
import {
  checkThreshold,
  type NewThresholdLevel,
  toWireLevel,
} from '../../src/sources/writes/thresholdWrite.js';
import { required, startStillGateway, type TestGateway } from '../support/gateway.js';

let gateway: TestGateway;
let streamId: number;
beforeAll(async () => {
  gateway = await startStillGateway();
  const sql =
    'SELECT stream_id AS id FROM threshold JOIN stream s ON s.id = stream_id WHERE account_id = ? ORDER BY 1';
  streamId = required(gateway.sql<{ id: number }>(sql, gateway.accountId)[0]).id;
});
beforeEach(() => gateway.sandbox.calls.reset());

const levelFields = `name comment lowerLimit upperLimit falseAlarmFilterSeconds sampleIntervalSeconds transmissionInterval
  transmitImmediately notificationActions { type userGroupPlatformId relevanceThreshold repeatsPerUserOnFailed repeatsForAllOnFailed }
  outputActions { type channelNumber } sampleActions { type stream { platformId } sampleGroupPlatformId }`;
const operation = `mutation ($input: SetStreamThresholdInput!) { setStreamThreshold(input: $input) {
  stream { threshold { status levels { ${levelFields} } } } userErrors { field code message } } }`;

interface Set {
  setStreamThreshold: {
    stream: { threshold: { status: string | null; levels: object[] } } | null;
    userErrors: { field: string[]; code: string; message: string }[];
  };
}

async function set(levels: object[], id: string = String(streamId)): Promise<Set['setStreamThreshold']> {
  return (await gateway.ask<Set>(operation, { input: { streamId: id, levels } })).setStreamThreshold;
}

const posts = () => gateway.restCalls().filter(({ method }) => method === 'POST');

describe('setting a threshold', () => {
  it('returns the new levels, with the status of the newest value', async () => {
    await gateway.ask(`{ stream(id: ${streamId}) { threshold { status levels { name } } } }`);
    const rest = {
      falseAlarmFilterSeconds: 4_294_967_295,
      sampleIntervalSeconds: 30,
      transmissionInterval: 'EMERGENCY',
      transmitImmediately: true,
    };
    const notification = {
      type: 'TICKET_SYSTEM',
      userGroupPlatformId: '12',
      relevanceThreshold: 1,
      repeatsPerUserOnFailed: 2,
      repeatsForAllOnFailed: 0,
    };
    const { stream, userErrors } = await set([
      { name: 'Low', upperLimit: -1e6 },
      {
        name: 'High',
        comment: 'Look.',
        ...rest,
        notificationActions: [notification],
        outputActions: [{ type: 'PULSE_ONCE', channelNumber: 15 }],
        sampleActions: [
          { type: 'PAUSE_SINGLE', streamId: `Stream:${streamId}` },
          { type: 'RESUME', sampleGroupPlatformId: '4' },
        ],
      },
    ]);
    expect(userErrors).toEqual([]);
    const plain = {
      comment: null,
      falseAlarmFilterSeconds: 0,
      sampleIntervalSeconds: 300,
      transmissionInterval: 'NORMAL',
      transmitImmediately: false,
      notificationActions: [],
      outputActions: [],
      sampleActions: [],
    };
    expect(stream?.threshold).toEqual({
      status: 'High',
      levels: [
        { ...plain, name: 'Low', lowerLimit: null, upperLimit: -1e6 },
        {
          ...plain,
          ...rest,
          name: 'High',
          comment: 'Look.',
          lowerLimit: -1e6,
          upperLimit: null,
          notificationActions: [notification],
          outputActions: [{ type: 'PULSE_ONCE', channelNumber: 15 }],
          sampleActions: [
            { type: 'PAUSE_SINGLE', stream: { platformId: String(streamId) }, sampleGroupPlatformId: null },
            { type: 'RESUME', stream: null, sampleGroupPlatformId: '4' },
          ],
        },
      ],
    });
    expect(posts()).toHaveLength(1);
    const read = `{ stream(id: ${streamId}) { threshold { status levels { name } } } }`;
    expect(await gateway.ask(read)).toEqual({
      stream: { threshold: { status: 'High', levels: [{ name: 'Low' }, { name: 'High' }] } },
    });
    expect((await set([])).stream?.threshold).toEqual({ status: null, levels: [] });
  });

  it('is visible to the next operation, although the mutation reads nothing back', async () => {
    const read = `{ stream(id: ${streamId}) { threshold { status levels { name } } } }`;
    await gateway.ask(read);
    const write =
      'mutation ($input: SetStreamThresholdInput!) { setStreamThreshold(input: $input) { userErrors { code } } }';
    await gateway.ask(write, { input: { streamId: String(streamId), levels: [{ name: 'Only' }] } });
    expect(await gateway.ask(read)).toEqual({
      stream: { threshold: { status: 'Only', levels: [{ name: 'Only' }] } },
    });
  });

  it('reports all errors at once, and sends nothing', async () => {
    const { stream, userErrors } = await set([
      { name: ' ', upperLimit: 5, sampleIntervalSeconds: 29, falseAlarmFilterSeconds: 0.5 },
      { name: 'x'.repeat(257), comment: 'x'.repeat(513), sampleIntervalSeconds: 4_294_967_296 },
      { name: 'c', upperLimit: 5, outputActions: [{ type: 'SET_UP', channelNumber: 16 }] },
      {
        name: 'd',
        upperLimit: 4,
        notificationActions: [{ type: 'SMS', relevanceThreshold: -1, userGroupPlatformId: 'all' }],
        sampleActions: [
          { type: 'PAUSE', streamId: '1', sampleGroupPlatformId: '2' },
          { type: 'PAUSE', streamId: 'Site:1' },
          { type: 'SINGLE' },
        ],
      },
    ]);
    expect(stream).toBeNull();
    expect(userErrors.map(({ field, code }) => `${field.join('.')} ${code}`)).toEqual([
      'levels.0.name REQUIRED',
      'levels.0.falseAlarmFilterSeconds OUT_OF_RANGE',
      'levels.0.sampleIntervalSeconds OUT_OF_RANGE',
      'levels.1.name TOO_LONG',
      'levels.1.comment TOO_LONG',
      'levels.1.sampleIntervalSeconds OUT_OF_RANGE',
      'levels.2.outputActions.0.channelNumber OUT_OF_RANGE',
      'levels.3.notificationActions.0.userGroupPlatformId INVALID_ID',
      'levels.3.notificationActions.0.relevanceThreshold OUT_OF_RANGE',
      'levels.3.sampleActions.0.streamId NOT_FOUND',
      'levels.3.sampleActions.0 EXCLUSIVE',
      'levels.3.sampleActions.1.streamId INVALID_ID',
      'levels.3.sampleActions.2 REQUIRED',
      'levels.1.upperLimit REQUIRED',
      'levels.2.upperLimit NOT_ASCENDING',
      'levels.3.upperLimit NOT_ASCENDING',
    ]);
    expect(posts()).toEqual([]);
    expect((await set([{ name: '' }])).userErrors).toMatchObject([{ code: 'REQUIRED' }]);
    expect((await set([], '1')).userErrors).toEqual([
      { field: ['streamId'], code: 'NOT_FOUND', message: 'There is no stream with the id 1.' },
    ]);
    const message = 'It is not a stream id such as "Stream:88001" or "88001".';
    expect((await set([], 'Site:1')).userErrors).toEqual([
      { field: ['streamId'], code: 'INVALID_ID', message },
    ]);
  });
});

const count = fc.oneof(fc.constantFrom(0, 29, 30, 4_294_967_295, 4_294_967_296, -1, 0.5), fc.nat());
const optionalCount = fc.option(count, { nil: null });
const known = new Set([1, 2]);
const level: fc.Arbitrary<NewThresholdLevel> = fc.record({
  name: fc.oneof(fc.constantFrom('', ' \t', 'x'.repeat(256), 'x'.repeat(257)), fc.string({ minLength: 1 })),
  comment: fc.option(fc.constantFrom('', 'x'.repeat(512), 'x'.repeat(513)), { nil: null }),
  upperLimit: fc.option(fc.integer({ min: -3, max: 9 }), { nil: null }),
  falseAlarmFilterSeconds: count,
  sampleIntervalSeconds: count,
  transmissionInterval: fc.constantFrom('NORMAL', 'EVENT', 'EMERGENCY'),
  transmitImmediately: fc.boolean(),
  notificationActions: fc.array(
    fc.record({
      type: fc.constantFrom('MAIL', 'SMS', 'TICKET_SYSTEM', 'VOICE'),
      userGroupId: fc.option(fc.nat(), { nil: null }),
      relevanceThreshold: optionalCount,
      repeatsPerUserOnFailed: optionalCount,
      repeatsForAllOnFailed: optionalCount,
    }),
    { maxLength: 2 },
  ),
  outputActions: fc.array(
    fc.record({
      type: fc.constantFrom('PULSE_ONCE', 'SET_DOWN', 'SET_UP'),
      channelNumber: fc.integer({ min: -1, max: 16 }),
    }),
    { maxLength: 1 },
  ),
  sampleActions: fc.array(
    fc.record({
      type: fc.constantFrom('PAUSE', 'RESUME', 'SINGLE', 'PAUSE_SINGLE'),
      streamId: fc.option(fc.constantFrom(1, 2), { nil: null }),
      sampleGroupId: fc.option(fc.integer({ min: 1, max: 9 }), { nil: null }),
    }),
    { maxLength: 1 },
  ),
});

function isAcceptedBySandbox(levels: readonly NewThresholdLevel[]): boolean {
  try {
    readThresholdBody({ levels: levels.map(toWireLevel) });
    return true;
  } catch {
    return false;
  }
}

describe('the check of levels', () => {
  it('accepts exactly the input that the platform accepts, except names of white space alone', () => {
    fc.assert(
      fc.property(fc.array(level, { maxLength: 3 }), (levels) => {
        const isNamed = levels.every(({ name }) => name.trim() !== '');
        expect(checkThreshold(levels, known).length === 0).toBe(isNamed && isAcceptedBySandbox(levels));
      }),
      { numRuns: 3000 },
    );
  });

  it('accepts and refuses enough inputs for a meaningful result', () => {
    const taken = fc
      .sample(fc.array(level, { maxLength: 1 }), { numRuns: 2000, seed: 7 })
      .filter(isAcceptedBySandbox).length;
    expect(taken).toBeGreaterThan(100);
    expect(taken).toBeLessThan(1900);
  });
});
