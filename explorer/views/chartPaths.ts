/** The SVG paths of a line and its band. Pure. */
import type { Line } from './findCharts.js';
import type { Scale } from './scale.js';

export interface Scales {
  x: Scale;
  y: Scale;
}

type Values = Line['values'];

/** A null interrupts the line. */
export function linePath(times: readonly number[], values: Values, scales: Scales): string {
  let isDrawing = false;
  return times
    .map((time, index) => {
      const value = values[index];
      const command = isDrawing ? 'L' : 'M';
      isDrawing = typeof value === 'number';
      return typeof value === 'number' ? `${command}${toPoint(time, value, scales)}` : '';
    })
    .join('');
}

/** The values between two nulls, of which a line shows nothing. */
export function isolatedPoints(times: readonly number[], values: Values): { time: number; value: number }[] {
  return times.flatMap((time, index) => {
    const value = values[index] ?? undefined;
    const isIsolated = (values[index - 1] ?? values[index + 1] ?? undefined) === undefined;
    return value !== undefined && isIsolated ? [{ time, value }] : [];
  });
}

/** A null on either edge interrupts the band, as it interrupts the line. */
export function bandPath(times: readonly number[], low: Values, high: Values, scales: Scales): string {
  let upper: string[] = [];
  let lower: string[] = [];
  const areas: string[] = [];
  const endArea = () => {
    if (upper.length > 1) areas.push(`M${[...upper, ...lower.reverse()].join('L')}Z`);
    upper = [];
    lower = [];
  };
  for (const [index, time] of times.entries()) {
    const [bottom, top] = [low[index], high[index]];
    if (typeof bottom === 'number' && typeof top === 'number') {
      upper.push(toPoint(time, top, scales));
      lower.push(toPoint(time, bottom, scales));
    } else endArea();
  }
  endArea();
  return areas.join('');
}

function toPoint(time: number, value: number, { x, y }: Scales): string {
  return `${x(time).toFixed(1)} ${y(value).toFixed(1)}`;
}
