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

  it('have the band between min and max around their average alone', () => {
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
