/** The values of a chart at the pointer, with a line at their time. */
import { type PointerEvent, type ReactElement, useState } from 'react';
import { type Point, pointNear, type Scales } from './chartPaths.js';
import type { Line } from './findCharts.js';
import { CHARACTER_WIDTH, createScale, numbered } from './scale.js';

const ROW_HEIGHT = 16;
const DOT_RADIUS = 3.5;
const MAX_NAME_LENGTH = 40;
/** After a name in Hebrew or Arabic, it keeps the signs of numbers on their left. */
const LEFT_TO_RIGHT = '\u200e';
/** Between the pointer and the values. */
const DISTANCE = 12;

interface ReadoutProps {
  lines: readonly Line[];
  scales: Scales;
  times: readonly [number, number];
  /** In pixels. */
  area: { left: number; right: number; top: number; bottom: number };
}

export function Readout({ lines, scales, times, area }: ReadoutProps): ReactElement {
  const [pointerMs, setPointerMs] = useState<number>();
  const { left, right, top, bottom } = area;
  const toTime = createScale([left, right], times);
  const move = ({ clientX, currentTarget }: PointerEvent<SVGRectElement>) =>
    setPointerMs(toTime(left + clientX - currentTarget.getBoundingClientRect().left));
  return (
    <g>
      {pointerMs !== undefined && <Values pointerMs={pointerMs} lines={lines} scales={scales} area={area} />}
      <rect
        className="fieldgraph-pointer"
        {...{ x: left, y: top, width: right - left, height: bottom - top }}
        onPointerMove={move}
        onPointerLeave={() => setPointerMs(undefined)}
      />
    </g>
  );
}

interface ValuesProps extends Omit<ReadoutProps, 'times'> {
  pointerMs: number;
}

function Values({ pointerMs, lines, scales, area }: ValuesProps): ReactElement | null {
  const points = numbered(lines).flatMap(({ item: line, number }) => {
    const point = pointNear(line, pointerMs);
    return point ? [{ ...point, number, name: lines.length > 1 ? line.name : '' }] : [];
  });
  const [nearest] = [...points].sort(
    (one, other) => Math.abs(one.time - pointerMs) - Math.abs(other.time - pointerMs),
  );
  if (!nearest) return null;
  const x = scales.x(nearest.time);
  const shown = points.filter(({ time }) => time === nearest.time);
  const rowLength = Math.floor((area.right - area.left - DISTANCE) / CHARACTER_WIDTH);
  const texts = [formatTime(nearest.time), ...shown.map((point) => toText(point, rowLength))];
  const width = Math.max(...texts.map(({ length }) => length)) * CHARACTER_WIDTH + DISTANCE;
  const isLeft = x + DISTANCE + width > area.right;
  const boxX = isLeft ? Math.max(area.left, x - DISTANCE - width) : x + DISTANCE;
  return (
    <g className="fieldgraph-readout">
      <line x1={x} x2={x} y1={area.top} y2={area.bottom} />
      {shown.map(({ number, value }) => (
        <circle key={number} data-line={number} cx={x} cy={scales.y(value)} r={DOT_RADIUS} />
      ))}
      <rect x={boxX} y={area.top} width={width} height={texts.length * ROW_HEIGHT + ROW_HEIGHT / 2} />
      {numbered(texts).map(({ item: text, number }) => (
        <text
          key={number}
          data-line={shown[number - 1]?.number}
          x={boxX + DISTANCE / 2}
          y={area.top + (number + 1) * ROW_HEIGHT}
        >
          {text}
        </text>
      ))}
    </g>
  );
}

/** Shortens the name so that the row has at most `rowLength` characters. */
function toText({ name, value, low, high }: Point & { name: string }, rowLength: number): string {
  const band = low === undefined || high === undefined ? '' : ` (${format(low)} to ${format(high)})`;
  const numbers = `${format(value)}${band}`;
  const nameLength = Math.min(MAX_NAME_LENGTH, Math.max(1, rowLength - numbers.length - 2));
  const shortName = name.length > nameLength ? `${name.slice(0, nameLength - 1)}…` : name;
  return shortName === '' ? numbers : `${shortName}${LEFT_TO_RIGHT}: ${numbers}`;
}

/** Six digits, and more for large numbers: the counter of a meter increases in its last digits. */
function format(value: number): string {
  return value.toLocaleString(undefined, {
    maximumSignificantDigits: 6,
    maximumFractionDigits: 3,
    roundingPriority: 'morePrecision',
  });
}

function formatTime(time: number): string {
  return new Date(time).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
}
