/** One chart: the mean as a line, the lowest and highest values as a band, and the threshold in the background. */
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { type Level, raisesAlarm } from './alarmLevels.js';
import type { Series, StreamChart } from './operations.js';
import { createRefresh } from './refresh.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const colour = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`);
const muted = () => colour('muted');
/** The values at an axis are round. All their digits are shown, because a counter can rise by a thousandth in a day. */
const { format } = new Intl.NumberFormat(undefined, { notation: 'compact', maximumSignificantDigits: 12 });
/** The pixels that the labels of an axis need: those of counters are long. */
const sizeOf = (labels: string[] | null) =>
  Math.max(60, ...(labels ?? []).map(({ length }) => 18 + 7 * length));
const grid = { stroke: () => colour('line'), width: 1 };

/** Shades the levels that raise an alarm, and draws a line at each limit. */
function drawThreshold(plot: uPlot, levels: readonly Level[]): void {
  const { ctx, bbox } = plot;
  const bottom = bbox.top + bbox.height;
  const y = (value: number | null, open: number) =>
    value === null ? open : Math.min(bottom, Math.max(bbox.top, plot.valToPos(value, 'y', true)));
  ctx.save();
  for (const level of levels) {
    const [from, to] = [y(level.upperLimit, bbox.top), y(level.lowerLimit, bottom)];
    ctx.fillStyle = raisesAlarm(level) ? colour('alarm-band') : 'transparent';
    ctx.fillRect(bbox.left, from, bbox.width, to - from);
    ctx.fillStyle = colour('alarm');
    if (from > bbox.top && from < bottom) ctx.fillRect(bbox.left, from, bbox.width, devicePixelRatio);
  }
  ctx.restore();
}

/**
 * The range of a chart over the last days, and a day ahead for devices whose clocks are fast. It starts on the
 * hour: while the start stays the same, a cursor returns only what is new; with a different start it returns the
 * whole chart.
 */
export function createRange(days: number): { from: string; to: string } {
  const from = Math.floor((Date.now() - days * DAY_MS) / HOUR_MS) * HOUR_MS;
  return { from: new Date(from).toISOString(), to: new Date(Date.now() + DAY_MS).toISOString() };
}

/** Loads a chart, or with a cursor only what is new. */
type Load = (after: string | undefined) => Promise<StreamChart | null | undefined>;

export class Chart {
  #series: Series | undefined;
  #levels: readonly Level[] = [];
  readonly #closing = new AbortController();
  readonly #load: Load;
  readonly #place: HTMLElement;
  readonly #plot: uPlot;
  /** Loads and draws new points. Never rejects: `onError` gets failures, and the load is repeated. */
  readonly refresh: () => Promise<void>;

  constructor(place: HTMLElement, units: string, load: Load, onError?: (error: unknown) => void) {
    this.#load = load;
    this.#place = place;
    place.ariaBusy = 'true';
    this.refresh = createRefresh(() => this.#loadNew(), onError);
    const size = () => ({ width: place.clientWidth, height: place.clientHeight });
    const axis = { stroke: muted, grid, ticks: grid };
    this.#plot = new uPlot(
      {
        ...size(),
        ms: 1,
        legend: { show: false },
        cursor: { y: false, drag: { x: false, y: false } },
        axes: [
          axis,
          { ...axis, size: (_plot, labels) => sizeOf(labels), values: (_plot, splits) => splits.map(format) },
        ],
        series: [
          {},
          { label: units, stroke: () => colour('value'), width: 1.5 },
          { show: true, stroke: 'transparent', points: { show: false } },
          { show: true, stroke: 'transparent', points: { show: false } },
        ],
        bands: [{ series: [3, 2], fill: () => colour('spread') }],
        hooks: { drawClear: [(plot) => drawThreshold(plot, this.#levels)] },
      },
      [[], [], [], []],
      place,
    );
    const { signal } = this.#closing;
    const observer = new ResizeObserver(() => this.#plot.setSize(size()));
    observer.observe(place);
    signal.addEventListener('abort', () => observer.disconnect());
    const darkness = matchMedia('(prefers-color-scheme: dark)');
    darkness.addEventListener('change', () => this.#plot.redraw(), { signal });
  }

  async #loadNew(): Promise<void> {
    const { signal } = this.#closing;
    if (signal.aborted) return;
    const stream = await this.#load(this.#series?.cursor);
    if (signal.aborted) return;
    this.#place.ariaBusy = 'false';
    if (!stream?.series) return;
    this.#levels = stream.threshold.levels ?? this.#levels;
    this.#add(stream.series);
  }

  /** The columns of a series are passed to the chart unchanged. The points from `replaceFrom` on are replaced. */
  #add(added: Series): void {
    const before = this.#series;
    const firstReplaced = before?.times.findIndex((time) => time >= added.replaceFrom) ?? 0;
    const kept = firstReplaced < 0 ? before?.times.length : firstReplaced;
    const join = <Item>(old: Item[] | undefined, later: Item[]) => [...(old ?? []).slice(0, kept), ...later];
    this.#series = {
      ...added,
      times: join(before?.times, added.times),
      values: join(before?.values, added.values),
      min: join(before?.min, added.min),
      max: join(before?.max, added.max),
    };
    const { times, values, min, max } = this.#series;
    this.#plot.setData([times, values, min, max]);
    // Shows in the browser's performance tools how long the visitor has waited.
    if (!before) performance.mark('chart');
  }

  destroy(): void {
    this.#closing.abort();
    this.#plot.destroy();
  }
}
