/** Draws lines over time as SVG. */
import type { ReactElement } from 'react';
import { bandPath, isolatedPoints, linePath, type Scales } from './chartPaths.js';
import type { ChartData, Line } from './findCharts.js';
import { NotDrawn } from './NotDrawn.js';
import { Readout } from './Readout.js';
import {
  CHARACTER_WIDTH,
  createScale,
  labelTicks,
  leftMargin,
  listTicks,
  listTimeTicks,
  numbered,
} from './scale.js';

/** More charts, and more lines of one chart, are counted but not drawn. */
const MAX_CHARTS = 12;
const MAX_LINES = 8;
/** Half the span of a chart that has a single time. */
const SINGLE_TIME_MS = 1_800_000;
const DOT_RADIUS = 2.5;
const HEIGHT = 260;
const MARGIN = { top: 12, right: 16, bottom: 24 };

export function ChartView({ charts, width }: { charts: readonly ChartData[]; width: number }): ReactElement {
  return (
    <div className="fieldgraph-charts">
      {numbered(charts.slice(0, MAX_CHARTS)).map(({ item, number }) => (
        <Chart key={number} chart={item} width={width} />
      ))}
      <NotDrawn count={charts.length - MAX_CHARTS} noun="chart" />
    </div>
  );
}

function Chart({ chart, width }: { chart: ChartData; width: number }): ReactElement {
  const { title } = chart;
  if (chart.lines.every(({ values }) => values.every((value) => value === null))) {
    return (
      <figure className="fieldgraph-chart">
        <figcaption>{title}</figcaption>
        <p>No points to draw.</p>
      </figure>
    );
  }
  const lines = chart.lines.slice(0, MAX_LINES);
  const times = widen(rangeOf(lines.flatMap(({ times: all }) => [all[0], all.at(-1)])));
  const values = addPadding(
    rangeOf(lines.flatMap((line) => [...line.values, ...(line.low ?? []), ...(line.high ?? [])])),
  );
  const ticks = listTicks(...values, 5);
  const labels = labelTicks(ticks);
  const left = leftMargin(labels);
  const x = createScale(times, [left, width - MARGIN.right]);
  const y = createScale(values, [HEIGHT - MARGIN.bottom, MARGIN.top]);
  return (
    <figure className="fieldgraph-chart">
      <figcaption>{title}</figcaption>
      <svg width={width} height={HEIGHT} role="img" aria-label={`Chart: ${title}`}>
        <Axes x={x} y={y} times={times} ticks={ticks} labels={labels} left={left} width={width} />
        {numbered(lines).map(({ item, number }) => (
          <Curve key={number} line={item} scales={{ x, y }} index={number} />
        ))}
        <Readout
          lines={lines}
          scales={{ x, y }}
          times={times}
          area={{ left, right: width - MARGIN.right, top: MARGIN.top, bottom: HEIGHT - MARGIN.bottom }}
        />
      </svg>
      {lines.length > 1 && (
        <ul className="fieldgraph-legend">
          {numbered(lines).map(({ item, number }) => (
            <li key={number} data-line={number}>
              {item.name}
            </li>
          ))}
        </ul>
      )}
      <NotDrawn count={chart.lines.length - MAX_LINES} noun="line" />
    </figure>
  );
}

interface AxesProps extends Scales {
  times: readonly [number, number];
  ticks: readonly number[];
  labels: readonly string[];
  left: number;
  width: number;
}

function Axes({ x, y, times, ticks, labels, left, width }: AxesProps): ReactElement {
  const timeTicks = listTimeTicks(...times, Math.max(2, Math.floor(width / 110)));
  return (
    <g className="fieldgraph-axes">
      {numbered(ticks).map(({ item: tick, number }) => (
        <g key={tick}>
          <line x1={left} x2={width - MARGIN.right} y1={y(tick)} y2={y(tick)} />
          <text x={left - 6} y={y(tick) + 4} textAnchor="end">
            {labels[number]}
          </text>
        </g>
      ))}
      {timeTicks.map(({ time, label }) => (
        <text
          key={time}
          x={Math.min(x(time), width - (label.length * CHARACTER_WIDTH) / 2)}
          y={HEIGHT - 6}
          textAnchor="middle"
        >
          {label}
        </text>
      ))}
    </g>
  );
}

function Curve({ line, scales, index }: { line: Line; scales: Scales; index: number }): ReactElement {
  const { times, values, low, high } = line;
  return (
    <g data-line={index}>
      {low && high && <path className="fieldgraph-band" d={bandPath(times, low, high, scales)} />}
      <path className="fieldgraph-line" d={linePath(times, values, scales)} />
      {isolatedPoints(times, values).map(({ time, value }) => (
        <circle
          key={time}
          className="fieldgraph-dot"
          cx={scales.x(time)}
          cy={scales.y(value)}
          r={DOT_RADIUS}
        />
      ))}
    </g>
  );
}

function rangeOf(values: readonly (number | null | undefined)[]): readonly [number, number] {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) {
    if (value == null) continue;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return low <= high ? [low, high] : [0, 1];
}

function widen([first, last]: readonly [number, number]): readonly [number, number] {
  return first < last ? [first, last] : [first - SINGLE_TIME_MS, last + SINGLE_TIME_MS];
}

function addPadding([low, high]: readonly [number, number]): readonly [number, number] {
  const padding = (high - low) * 0.05 || Math.abs(high) * 0.05 || 1;
  return [low - padding, high + padding];
}
