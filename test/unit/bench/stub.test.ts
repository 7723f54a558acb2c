/** The benchmark's stub responds as the platform does. */
import { describe, expect, it } from 'vitest';
import { SAMPLE_STEP_SECONDS } from '../../../bench/speed/stub/stubData.js';
import { createResponses } from '../../../bench/speed/stub/stubResponses.js';
import { createWorkloads } from '../../../bench/speed/workloads.js';

const newest = Date.UTC(2026, 0, 15) / 1000;
const findResponse = createResponses(newest);

function ask(path: string) {
  const [head = '', body = ''] = findResponse(path).toString().split('\r\n\r\n');
  const length = Number(/Content-Length: (\d+)/.exec(head)?.[1]);
  expect(length).toBe(Buffer.byteLength(body));
  return { status: Number(head.split(' ')[1]), body: JSON.parse(body) };
}

const idsIn = (path: string) => ask(path).body.samples.map(({ id }: { id: number }) => id);

describe('the stub', () => {
  it.each([
    ['/v2.0/site', 50],
    ['/v2.0/account/organization', 4],
    ['/v2.0/device', 100],
    ['/v2.0/channel', 400],
    ['/v2.0/stream', 200],
    ['/v2.0/site/101/devices', 2],
    ['/v2.0/site/150/streams', 4],
    ['/v2.0/device/1100/channels', 4],
    ['/v2.0/site/101/streams/customAttributes', 4],
  ])('responds to %s with %i rows', (path, count) => {
    expect(ask(path).body).toHaveLength(count);
  });

  it('names each stream after one channel of its site', () => {
    const devices = ask('/v2.0/site/107/devices').body as { id: number }[];
    const channels = devices.flatMap(({ id }) => ask(`/v2.0/device/${id}/channels`).body);
    const names = channels.map(({ display_name }) => display_name);
    expect(new Set(names).size).toBe(8);
    for (const { display_name } of ask('/v2.0/site/107/streams').body) expect(names).toContain(display_name);
  });

  it('responds with 404 to an unknown path', () => {
    expect(ask('/v2.0/site/999').status).toBe(404);
    expect(ask('/v2.0/elsewhere?sampleDate=1').status).toBe(404);
  });

  it('pages through a range, both ends included', () => {
    const range = (limit: number, offset: number) =>
      `/v2.0/stream/20001/sample/range?fromDate=${newest - 3 * SAMPLE_STEP_SECONDS}&toDate=${newest}&limit=${limit}&offset=${offset}`;
    expect(idsIn(range(10, 1))).toHaveLength(4);
    expect([...idsIn(range(3, 1)), ...idsIn(range(3, 4))]).toEqual(idsIn(range(10, 1)));
    expect([ask(range(3, 1)).body.hasMore, ask(range(3, 4)).body.hasMore]).toEqual([true, false]);
  });

  it('has the last sample of every stream in the hour’s batch, and ids that rise with arrival', () => {
    const ids = idsIn('/v2.0/sample/batch?enableAck=true&backfillHours=1');
    expect(ids).toHaveLength(200 * 13);
    expect(ids).toEqual([...ids].sort((one, other) => one - other));
    expect(ids.at(-1)).toBe(ask('/v2.0/stream/20200/sample/last').body.id);
  });

  it('has a thousand samples in each range of Q4', () => {
    const { variables } = createWorkloads(newest).find(({ name }) => name === 'Q4') ?? { variables: '' };
    const ranges = [...variables.matchAll(/"from":"(.{19})\.###Z","to":"(.{19})\.###Z"/g)];
    expect(ranges).toHaveLength(2);
    for (const [, from, to] of ranges) {
      const [fromDate, toDate] = [from, to].map((text) => Date.parse(`${text}Z`) / 1000);
      expect(idsIn(`/v2.0/stream/20042/sample/range?fromDate=${fromDate}&toDate=${toDate}`)).toHaveLength(
        1000,
      );
    }
  });
});
