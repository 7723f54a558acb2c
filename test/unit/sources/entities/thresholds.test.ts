/** Levels of thresholds are in order and complete, whatever the platform sends. */
import { expect, it } from 'vitest';
import { createThresholds } from '../../../../src/sources/entities/thresholds.js';
import { createComputedRest, createReaders } from '../../../support/rest/readerParts.js';

function readLevels(levels: unknown) {
  const { rest } = createComputedRest(() => ({ levels }));
  return createThresholds(rest, createReaders().createReader()).levels(1);
}

const LOW = { display_name: 'Low', upper_limit: 2 };
const NORMAL = { display_name: 'Normal', lower_limit: 2, upper_limit: 7 };
const HIGH = { display_name: 'High', lower_limit: 7 };

it.each([
  ['in their order', [LOW, NORMAL, HIGH]],
  ['in the reverse order', [HIGH, NORMAL, LOW]],
  ['without lower limits', [LOW, { ...NORMAL, lower_limit: undefined }, { ...HIGH, lower_limit: undefined }]],
  ['with limits as text', [LOW, { ...NORMAL, upper_limit: '7' }, { ...HIGH, upper_limit: null }]],
  ['among rows that are not levels', [null, LOW, 5, NORMAL, 'x', HIGH]],
])('levels that come %s are in order and have their limits', async (_name, rows) => {
  const levels = await readLevels(rows);
  expect(levels?.map(({ name, lowerLimit, upperLimit }) => [name, lowerLimit, upperLimit])).toEqual([
    ['Low', null, 2],
    ['Normal', 2, 7],
    ['High', 7, null],
  ]);
});

it.each([true, 'true', 1])('transmits immediately if the platform sends %j', async (transmit_immediately) => {
  const levels = await readLevels([
    { ...LOW, transmit_immediately },
    { ...NORMAL, transmit_immediately: 'no' },
  ]);
  expect(levels?.map(({ transmitImmediately }) => transmitImmediately)).toEqual([true, false]);
});

it.each([
  [3, '3'],
  ['3', '3'],
  [0, '0'],
  [1.5, null],
  ['all', null],
  [undefined, null],
])('reads %j as the number of a group', async (number, text) => {
  const notification_actions = [{ type: 'mail', user_group_id: number }];
  const sample_actions = [{ type: 'pause', sample_group_id: number }];
  const [level] = (await readLevels([{ ...LOW, notification_actions, sample_actions }])) ?? [];
  expect(level?.notificationActions[0]?.userGroupPlatformId).toBe(text);
  expect(level?.sampleActions[0]?.sampleGroupPlatformId).toBe(text);
});
