/** The paths of the explorer's charts. */
import { expect, it } from 'vitest';
import { bandPath, isolatedPoints, linePath } from '../../explorer/views/chartPaths.js';

const scales = { x: (time: number) => time, y: (value: number) => 10 - value };
const times = [0, 1, 2, 3, 4, 5];

it('a null interrupts a line, and values between two nulls are points', () => {
  const values = [1, 2, null, 3, null, 4];
  expect(linePath(times, values, scales)).toBe('M0.0 9.0L1.0 8.0M3.0 7.0M5.0 6.0');
  expect(isolatedPoints(times, values)).toEqual([
    { time: 3, value: 3 },
    { time: 5, value: 4 },
  ]);
});

it('a null on either edge interrupts a band', () => {
  const area = (path: string) => path.split('Z').filter(Boolean);
  expect(area(bandPath(times, [1, 1, null, 1, 1, 1], [2, 3, 3, 2, 3, 2], scales))).toEqual([
    'M0.0 8.0L1.0 7.0L1.0 9.0L0.0 9.0',
    'M3.0 8.0L4.0 7.0L5.0 8.0L5.0 9.0L4.0 9.0L3.0 9.0',
  ]);
  expect(area(bandPath(times, [1, 1, 1, 1, 1, 1], [2, 2, 2, null, 2, null], scales))).toEqual([
    'M0.0 8.0L1.0 8.0L2.0 8.0L2.0 9.0L1.0 9.0L0.0 9.0',
  ]);
});
