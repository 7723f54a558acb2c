/** One chart: the mean as a line, the lowest and highest values as a band, the threshold behind them. */
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import type { Level, Series, StreamChart } from './operations.js';

const colour = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`);
const muted = () => colour('muted');
const { format } = new Intl.NumberFormat(undefined, { notation: 'compact', maximumSignificantDigits: 4 });
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
    ctx.fillStyle = level.transmissionInterval === 'NORMAL' ? 'transparent' : colour('alarm-band');
    ctx.fillRect(bbox.left, from, bbox.width, to - from);
    ctx.fillStyle = colour('alarm');
    if (from > bbox.top && from < bottom) ctx.fillRect(bbox.left, from, bbox.width, devicePixelRatio);
  }
  ctx.restore();
}

/** Loads a chart, or with a cursor only what is new. */
type Load = (after: string | undefined) => Promise<StreamChart | null | undefined>;

export class Chart {
  #series: Series | undefined;
  #levels: readonly Level[] = [];
  #isOutdated = false;
  #isOpen = true;
  #loading: Promise<void> | undefined;
  readonly #load: Load;
  readonly #plot: uPlot;

  constructor(place: HTMLElement, units: string, load: Load) {
    this.#load = load;
    const size = () => ({ width: place.clientWidth, height: place.clientHeight });
    const axis = { stroke: muted, grid, ticks: grid };
    this.#plot = new uPlot(
      {
        ...size(),
        ms: 1,
        legend: { show: false },
        cursor: { y: false, drag: { x: false, y: false } },
        axes: [axis, { ...axis, size: 60, values: (_plot, splits) => splits.map(format) }],
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
    new ResizeObserver(() => this.#plot.setSize(size())).observe(place);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.#plot.redraw());
  }

  /**
   * Loads and draws new points. A call during a request repeats the request once after it, so that no two requests run
   * at the same time.
   */
  refresh(): Promise<void> {
    this.#isOutdated = true;
    this.#loading ??= this.#refreshUntilCurrent().finally(() => {
      this.#loading = undefined;
    });
    return this.#loading;
  }

  async #refreshUntilCurrent(): Promise<void> {
    while (this.#isOutdated && this.#isOpen) {
      this.#isOutdated = false;
      const stream = await this.#load(this.#series?.cursor);
      if (!stream?.series || !this.#isOpen) continue;
      this.#levels = stream.threshold.levels ?? this.#levels;
      this.#add(stream.series);
    }
  }

  /** The columns of a series go into the chart as they are. The points from `replaceFrom` on are replaced. */
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
    // Tells how long the visitor has waited, in the performance tools of the browser.
    if (!before) performance.mark('chart');
  }

  destroy(): void {
    this.#isOpen = false;
    this.#plot.destroy();
  }
}
