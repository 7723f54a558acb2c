/** Charts while the platform is polled: new and late samples reach them without a REST call. */
import { beforeAll, expect, it, vi } from 'vitest';
import { required } from '../../support/gateway.js';
import { anyStream, type LiveGateway, SCALARS, startLiveGateway } from '../../support/http/live.js';
import { WAIT_MS } from '../../support/waiting.js';

interface Columns {
  times: number[];
  values: (number | null)[];
  cursor: string;
  replaceFrom: number;
}

const DAY_MS = 86_400_000;
const CHART = `query ($id: ID!, $range: TimeRange!, $method: SeriesMethod, $after: String) { stream(id: $id) {
  series(range: $range, method: $method, maxPoints: 300, after: $after) { times values cursor replaceFrom } } }`;

let gateway: LiveGateway;
let id: number;

beforeAll(async () => {
  gateway = await startLiveGateway({ sandbox: { historyDays: 8 }, gateway: { pollsAlways: true } });
  id = anyStream(gateway);
  // A new day takes a call for its page, so the day must not change during the tests.
  const leftMs = DAY_MS - (gateway.clock.now() % DAY_MS);
  if (leftMs < 300_000) gateway.clock.advance(leftMs + 60_000);
});

const pollCount = () => gateway.sandbox.calls.list().filter(({ path }) => path.startsWith(SCALARS)).length;

/** Waits for two polls that begin after the call. The second one brings everything that exists now. */
async function waitForPoll(): Promise<void> {
  const before = pollCount();
  await vi.waitFor(() => expect(pollCount()).toBeGreaterThan(before + 1), { timeout: WAIT_MS });
}

async function chart(fromMs: number, method: string, after?: string): Promise<Columns> {
  const range = { from: fromMs, to: gateway.clock.now() + 1000 };
  const data = await gateway.ask<{ stream: { series: Columns } }>(CHART, { id, range, method, after });
  return data.stream.series;
}

it.each(['LTTB', 'MEAN'])(
  'charts by %s take no REST call beyond the poll, and show late samples too',
  async (method) => {
    const fromMs = Math.floor((gateway.clock.now() - 7 * DAY_MS) / 3_600_000) * 3_600_000;
    await waitForPoll();
    let folded = await chart(fromMs, method);
    gateway.sandbox.calls.reset();
    for (let refresh = 1; refresh <= 8; refresh++) {
      gateway.clock.advance(5000);
      if (refresh % 3 === 0) gateway.append(id, [refresh]);
      if (refresh === 5) {
        const late = Math.floor(gateway.clock.now() / 1000) - 7201;
        gateway.run('INSERT INTO scalar_sample VALUES (?, ?, ?, 99)', gateway.nextId(), id, late);
      }
      await waitForPoll();
      const delta = await chart(fromMs, method, folded.cursor);
      const kept = folded.times.filter((time) => time < delta.replaceFrom).length;
      folded = {
        ...delta,
        times: [...folded.times.slice(0, kept), ...delta.times],
        values: [...folded.values.slice(0, kept), ...delta.values],
      };
      const full = await chart(fromMs, method);
      expect({ times: folded.times, values: folded.values }).toEqual({
        times: full.times,
        values: full.values,
      });
    }
    const others = gateway.restCalls().filter(({ path }) => !path.startsWith(SCALARS));
    expect(others.map(({ path }) => path)).toEqual([]);
    if (method === 'MEAN') return;
    const range = { from: fromMs, to: gateway.clock.now() + 1000 };
    const { body } = await gateway.query<{ stream: { series: Columns } }>(
      CHART,
      { id, range, method },
      { 'Cache-Control': 'no-cache' },
    );
    const { times, values } = required(body.data).stream.series;
    expect({ times, values }).toEqual({ times: folded.times, values: folded.values });
    expect(values).toContain(99);
  },
);
