/** The paths of the explorer's charts. */
import { expect, it } from 'vitest';
import { bandPath, isolatedPoints, linePath, pointNear } from '../../explorer/views/chartPaths.js';

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

it('the number nearest to an instant is not a null, and has its band', () => {
  const line = {
    name: '',
    times,
    values: [1, 2, null, 3, null, 4],
    low: [0, 0, 0, 0, 0, 0],
    high: [9, 9, 9, 9, 9, null],
  };
  expect(pointNear(line, -5)).toEqual({ time: 0, value: 1, low: 0, high: 9 });
  expect(pointNear(line, 2.1)).toEqual({ time: 3, value: 3, low: 0, high: 9 });
  expect(pointNear(line, 4.4)).toEqual({ time: 5, value: 4 });
  expect(pointNear({ name: '', times, values: times.map(() => null) }, 1)).toBeUndefined();
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
