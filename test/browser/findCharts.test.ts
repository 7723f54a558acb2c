/** The lines that the explorer draws from a response. */
import { describe, expect, it } from 'vitest';
import { findCharts } from '../../explorer/views/findCharts.js';

const names = (data: unknown) => findCharts({ data }).map(({ lines }) => lines.map(({ name }) => name));
const times = ['2026-03-01T00:00:00Z', '2026-03-01T01:00:00Z'];
const rows = (more: object) => times.map((time, value) => ({ time, value, streamName: 'Pressure', ...more }));

const titles = (data: unknown) => findCharts({ data }).map(({ title }) => title);

describe('aggregates of a stream', () => {
  const titleOf = (fields: object) =>
    titles({
      stream: {
        name: 'Inlet',
        units: 'l/s',
        aggregates: times.map((startAt) => ({ startAt, ...fields })),
      },
    });

  it.each([
    [{ avg: 1, integral: 2, max: 3 }, 'Inlet (l/s) · aggregates · avg'],
    [{ integral: 1, integralUnits: 'l', max: 3 }, 'Inlet (l) · aggregates · integral'],
    [{ integral: 1, max: 3 }, 'Inlet · aggregates · integral'],
    [{ stdDev: 1, last: 2, median: 3 }, 'Inlet (l/s) · aggregates · stdDev'],
    [{ count: 1, max: null, median: 3, high: 4 }, 'Inlet · aggregates · median'],
    [{ count: 1, deltaResets: 0 }, 'Inlet · aggregates · count'],
  ])('are titled with the column that is drawn, and its units: %j', (fields, title) => {
    expect(titleOf(fields)).toEqual([title]);
  });

  it('have the band between min and max only around their average', () => {
    const bandsOf = (fields: object) =>
      findCharts(times.map((startAt) => ({ startAt, min: 1, max: 3, ...fields })))[0]?.lines.map(
        ({ low, high }) => [low, high],
      );
    expect(bandsOf({ avg: 2 })).toEqual([
      [
        [1, 1],
        [3, 3],
      ],
    ]);
    expect(bandsOf({ integral: 200 })).toEqual([[undefined, undefined]]);
  });

  it('are no chart where the numbers are of something else', () => {
    expect(titles(times.map((sampledAt, width) => ({ sampledAt, width })))).toEqual([]);
  });
});

it('a series without points is a chart without lines', () => {
  const drawn = { name: 'Inlet', series: { times: [1, 2], values: [1, 2] } };
  const empty = { name: 'Outlet', series: { times: [], values: [] } };
  expect(names({ streams: [drawn, empty] })).toEqual([['Inlet'], []]);
  expect(titles({ streams: [drawn, empty] })).toEqual(['Inlet · series', 'Outlet · series']);
  expect(titles({ series: { times: [], lines: [] } })).toEqual(['series']);
  // Other objects with empty lists have no charts.
  expect(titles({ times: [], nodes: [] })).toEqual([]);
});

describe('streams of the same name at two sites', () => {
  it('are two lines of a chart of rows', () => {
    const bySite = [...rows({ siteName: 'North' }), ...rows({ siteName: 'South' })];
    expect(names({ chart: bySite })).toEqual([['Pressure, North', 'Pressure, South']]);
    const byId = [...rows({ streamId: 'Stream:1' }), ...rows({ streamId: 'Stream:2' })];
    expect(names({ chart: byId })).toEqual([['Pressure, Stream:1', 'Pressure, Stream:2']]);
  });

  it('are two lines with the names of their sites in a shared series', () => {
    const line = (site: string) => ({
      stream: { name: 'Pressure', units: 'bar', site: { name: site } },
      values: [1, 2],
    });
    const series = { times: [0, 1], lines: [line('North'), line('South')] };
    expect(names({ seriesOf: series })).toEqual([['Pressure (bar), North', 'Pressure (bar), South']]);
  });
});

describe('charts with the same title', () => {
  const series = { times: [0, 1], values: [1, 2] };
  const stream = (more: object) => ({ name: 'Pressure', units: 'bar', series, ...more });
  const site = (name: string, streams: object[]) => ({ name, streams });

  it('have the names of the sites around their streams', () => {
    const flow = { name: 'Flow', units: 'l/s', series };
    const nodes = [site('North', [stream({}), flow]), site('South', [stream({})])];
    expect(titles({ organizations: { nodes: [{ name: 'Water', sites: { nodes } }] } })).toEqual([
      'Pressure (bar), North · series',
      'Flow (l/s) · series',
      'Pressure (bar), South · series',
    ]);
  });

  it('have the names of the sites in their streams, or else the ids of the streams', () => {
    const streams = (...nodes: object[]) => titles({ streams: { nodes } });
    expect(streams(stream({ site: { name: 'North' } }), stream({ id: 'Stream:2' }))).toEqual([
      'Pressure (bar), North · series',
      'Pressure (bar), Stream:2 · series',
    ]);
    const aggregates = times.map((startAt) => ({ startAt, avg: 1 }));
    const bare = { name: 'Pressure', aggregates };
    expect(streams({ ...bare, id: 'Stream:1' }, { ...bare, id: 'Stream:2' })).toEqual([
      'Pressure, Stream:1 · aggregates · avg',
      'Pressure, Stream:2 · aggregates · avg',
    ]);
  });
});
