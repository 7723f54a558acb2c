/** Draws `docs/time-series.svg` from the responses of a gateway over the sandbox. */
import { writeFileSync } from 'node:fs';
import { queryData } from './shared/graphql.js';
import { startGateway, startSandbox } from './shared/processes.js';

interface Series {
  times: number[];
  values: (number | null)[];
  min: (number | null)[];
  max: (number | null)[];
  sourceCount: number;
}

const WIDTH = 760;
const PANEL = 130;
const MARGIN = 24;
const POINTS = 60;
const DAYS = 10;

const CHART = `query ($id: ID!, $range: TimeRange!) { stream(id: $id) { name units
  all: series(range: $range, maxPoints: 10000) { ...columns }
  lttb: series(range: $range, maxPoints: ${POINTS}, method: LTTB) { ...columns }
  minMax: series(range: $range, maxPoints: ${POINTS}, method: MIN_MAX) { ...columns }
  mean: series(range: $range, maxPoints: ${POINTS}, method: MEAN) { ...columns } } }
  fragment columns on Series { times values min max sourceCount }`;

type Scale = (time: number, value: number) => string;

function scaleOf({ times, min, max }: Series, top: number): Scale {
  const [first, last] = [times[0] ?? 0, times.at(-1) ?? 1];
  const low = Math.min(...min.filter((value) => value !== null));
  const high = Math.max(...max.filter((value) => value !== null));
  return (time, value) => {
    const x = MARGIN + ((time - first) / (last - first)) * (WIDTH - 2 * MARGIN);
    const y = top + PANEL - MARGIN / 2 - ((value - low) / (high - low)) * (PANEL - 1.5 * MARGIN);
    return `${x.toFixed(1)} ${y.toFixed(1)}`;
  };
}

/** The line, interrupted at each null. */
function pathOf({ times, values }: Series, scale: Scale): string {
  let isDrawing = false;
  const steps = times.map((time, index) => {
    const value = values[index] ?? null;
    const step = value === null ? '' : `${isDrawing ? 'L' : 'M'}${scale(time, value)}`;
    isDrawing = value !== null;
    return step;
  });
  return steps.join('');
}

/** The gaps of the line: from the point before each null to the point after it. */
function gapsOf({ times, values }: Series, scale: Scale, top: number): string {
  return times
    .map((time, index) => {
      if (values[index] !== null) return '';
      const [from, to] = [times[index - 1] ?? time, times[index + 1] ?? time].map(
        (edge) => scale(edge, 0).split(' ')[0],
      );
      const width = Math.max(1, Number(to) - Number(from));
      return `<rect x="${from}" y="${top + MARGIN / 2}" width="${width}" height="${PANEL - MARGIN}" fill="#f3d9b1"/>`;
    })
    .join('');
}

function panel(title: string, series: Series, all: Series, top: number): string {
  const scale = scaleOf(all, top);
  const ground = `<path d="${pathOf(all, scale)}" fill="none" stroke="#c4cdd5" stroke-width="1"/>`;
  const line = `<path d="${pathOf(series, scale)}" fill="none" stroke="#1f6feb" stroke-width="1.4"/>`;
  const dots = series.times.map((time, index) => {
    const value = series.values[index];
    const [x, y] = value == null ? [] : scale(time, value).split(' ');
    return x === undefined ? '' : `<circle cx="${x}" cy="${y}" r="1.8" fill="#1f6feb"/>`;
  });
  const text = `<text x="${MARGIN}" y="${top + 9}" font-size="11" fill="#24292f">${title}</text>`;
  return text + gapsOf(series, scale, top) + ground + line + (series === all ? '' : dots.join(''));
}

function draw(panels: readonly string[]): string {
  const height = panels.length * PANEL + 10;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" ` +
    `font-family="sans-serif"><title>Ten days of samples, and the points of each method</title><rect width="100%" height="100%" fill="#fff"/>\n${panels.join('\n')}\n</svg>\n`
  );
}

/** The first pressure stream, a wave with spikes and gaps. */
async function streamToDraw(url: string): Promise<string> {
  const { streams } = await queryData<{ streams: { nodes: { id: string }[] } }>(
    url,
    '{ streams(filter: { units: "bar" }, first: 20) { nodes { id } } }',
  );
  return streams.nodes[0]?.id ?? '';
}

async function main(): Promise<void> {
  const sandbox = await startSandbox({ SANDBOX_SITES: '6' });
  const gateway = await startGateway(sandbox.url);
  try {
    const to = Date.now();
    const range = { from: new Date(to - DAYS * 86_400_000).toISOString(), to: new Date(to).toISOString() };
    const id = await streamToDraw(gateway.url);
    const { stream } = await queryData<{ stream: Record<'all' | 'lttb' | 'minMax' | 'mean', Series> }>(
      gateway.url,
      CHART,
      { id, range },
    );
    const { all, lttb, minMax, mean } = stream;
    const titles = [
      `all ${all.sourceCount} samples`,
      ...['LTTB', 'MIN_MAX', 'MEAN'].map((name) => `${name}, ${POINTS} points`),
    ];
    const pictures = [all, lttb, minMax, mean].map((series, index) =>
      panel(titles[index] ?? '', series, all, index * PANEL + 4),
    );
    writeFileSync(new URL('../../docs/time-series.svg', import.meta.url), draw(pictures));
  } finally {
    gateway.stop();
    sandbox.stop();
  }
}

await main();
