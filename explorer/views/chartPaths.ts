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

export interface Point {
  time: number;
  value: number;
  low?: number;
  high?: number;
}

/** The number of a line that is nearest to an instant, with its band; undefined for a line without numbers. */
export function pointNear({ times, values, low, high }: Line, ms: number): Point | undefined {
  let nearest: number | undefined;
  for (const [index, time] of times.entries()) {
    if (typeof values[index] !== 'number') continue;
    if (nearest === undefined || Math.abs(time - ms) < Math.abs((times[nearest] ?? 0) - ms)) nearest = index;
  }
  if (nearest === undefined) return undefined;
  const [bottom, top] = [low?.[nearest], high?.[nearest]];
  const band = typeof bottom === 'number' && typeof top === 'number' ? { low: bottom, high: top } : {};
  return { time: times[nearest] ?? 0, value: values[nearest] ?? 0, ...band };
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
