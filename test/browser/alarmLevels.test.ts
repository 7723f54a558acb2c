/** The levels that the charts of the examples shade are those that raise an alarm. */
import { expect, it } from 'vitest';
import { raisesAlarm } from '../../examples/dashboard/alarmLevels.js';
import type { ThresholdLevel } from '../../src/sources/entities/thresholds.js';
import { alarmLevelOf } from '../../src/sources/samples/streamLevels.js';
import { thresholdLevel } from '../support/rest/models.js';

const quiet = thresholdLevel('High', { lowerLimit: 5 });

const mail = { type: 'MAIL', userGroupPlatformId: '7' } as const;
const noRepeats = { relevanceThreshold: null, repeatsPerUserOnFailed: null, repeatsForAllOnFailed: null };

it.each<[string, Partial<ThresholdLevel>]>([
  ['nothing', {}],
  ['sends more often', { transmissionInterval: 'EVENT' }],
  ['sends most often', { transmissionInterval: 'EMERGENCY' }],
  ['sends at once', { transmitImmediately: true }],
  ['notifies someone', { notificationActions: [{ ...mail, ...noRepeats }] }],
  ['switches an output', { outputActions: [{ type: 'SET_UP', channelNumber: 1 }] }],
  [
    'samples another stream',
    { sampleActions: [{ type: 'SINGLE', streamId: 1, sampleGroupPlatformId: null }] },
  ],
])('a level that does this: %s', (_, settings) => {
  const level = { ...quiet, ...settings };
  expect(raisesAlarm(level)).toBe(alarmLevelOf(level) !== 'NONE');
});
