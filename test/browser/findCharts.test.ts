/** The lines that the explorer draws from a response. */
import { describe, expect, it } from 'vitest';
import { findCharts } from '../../explorer/views/findCharts.js';

const names = (data: unknown) => findCharts({ data }).map(({ lines }) => lines.map(({ name }) => name));
const times = ['2026-03-01T00:00:00Z', '2026-03-01T01:00:00Z'];
const rows = (more: object) => times.map((time, value) => ({ time, value, streamName: 'Pressure', ...more }));

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
