/** The requests of the Grafana dashboard in examples/grafana, as the two plugins send them. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { required, startTestGateway, TOKEN_PATH } from '../../support/gateway.js';
import { createTestClock } from '../../support/sandbox/sandbox.js';

interface Target {
  queryText?: string;
  operationName?: string;
  variables?: Record<string, string>;
  url_options?: { body_graphql_query: string; body_graphql_variables: string };
}
interface Dashboard {
  panels: { targets: Target[] }[];
  annotations: { list: { target: Target }[] };
  templating: { list: { query: { infinityQuery?: Target } | string }[] };
}

const file = new URL('../../../examples/grafana/dashboards/fieldgraph.json', import.meta.url);
const dashboard = JSON.parse(readFileSync(file, 'utf8')) as Dashboard;

const PANELS = 50;
const VIEWERS = 10;
const REFRESH_MS = 5000;
const HOUR_MS = 3_600_000;

const clock = createTestClock();
const gateway = await startTestGateway({ sandbox: { clock, siteCount: 16 }, gateway: { clock } });
/** A device may have been off in the last hour: the samples of the sandbox depend on the clock. */
const streamRows = gateway.sql<{ id: number; siteId: number }>(
  `SELECT stream.id, stream.site_id AS siteId FROM stream JOIN scalar_sample ON stream_id = stream.id
  WHERE account_id = ? AND sample_date > ? GROUP BY stream.id HAVING count(*) > 2 ORDER BY stream.id LIMIT ${PANELS}`,
  gateway.accountId,
  (clock.now() - HOUR_MS) / 1000,
);
const streams = streamRows.map(({ id }) => `Stream:${id}`);

interface View {
  fromMs: number;
  toMs: number;
  /** Several if the variable is not repeated. */
  stream?: string | readonly string[];
}

/** Inserts variables as Grafana does. */
function interpolate(text: string, { fromMs, toMs, stream = '' }: View): string {
  const values: Readonly<Record<string, string>> = {
    ...{ __from: String(fromMs), '__from:date:iso': new Date(fromMs).toISOString() },
    ...{ __to: String(toMs), '__to:date:iso': new Date(toMs).toISOString() },
    'stream:json': JSON.stringify(stream),
  };
  const inserted = text.replace(/\$\{([\w:]+)\}/g, (_, name: string) => required(values[name], name));
  return inserted.replaceAll('$site', String(streamRows[0]?.siteId));
}

/** Infinity inserts into the query and the variables. Wild GraphQL adds variables for the time range and the panel. */
function bodyOf({ queryText, operationName, variables, url_options: options }: Target, view: View): object {
  if (options) {
    const query = interpolate(options.body_graphql_query, view);
    return { query, variables: JSON.parse(interpolate(options.body_graphql_variables, view)) };
  }
  const own = JSON.parse(interpolate(JSON.stringify(variables), view)) as object;
  const range = { from: view.fromMs, to: view.toMs, interval_ms: 60_000, maxDataPoints: 300, refId: 'A' };
  return { query: queryText, operationName, variables: { ...own, ...range } };
}

async function send(target: Target | undefined, view: View): Promise<Record<string, object[]>> {
  const response = await fetch(`${gateway.url}/graphql`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(bodyOf(required(target), view)),
  });
  const body = (await response.json()) as { data: Record<string, object[]>; errors?: unknown };
  expect([response.status, body.errors]).toEqual([200, undefined]);
  return body.data;
}

const [panel, sitePanel] = dashboard.panels.map(({ targets }) => targets[0]);

it('returns rows to every query of the dashboard', async () => {
  const view = { fromMs: clock.now() - HOUR_MS, toMs: clock.now(), stream: required(streams[0]) };
  const [variable] = dashboard.templating.list;
  const query = variable?.query;
  const found = await send(typeof query === 'object' ? query.infinityQuery : undefined, view);
  expect(found).toHaveProperty('streams.nodes');
  const { chart = [] } = await send(panel, view);
  expect(Object.keys(required(chart[0]))).toEqual(['time', 'value', 'min', 'max', 'streamName', 'units']);
  const { chart: rows = [] } = await send(sitePanel, view);
  expect(rows.length).toBeGreaterThan(1);
  // Annotations belong to the dashboard, in which all streams are chosen.
  const [annotations] = dashboard.annotations.list;
  const { thresholdChanges } = await send(annotations?.target, { ...view, stream: streams });
  expect(thresholdChanges).toBeInstanceOf(Array);
});

it('sends one document for all panels, viewers and ranges, so that none is parsed for a refresh', () => {
  const targets = [panel, sitePanel, dashboard.annotations.list[0]?.target].map((target) => required(target));
  for (const target of targets) {
    const bodies = streams.map((stream, index) =>
      bodyOf(target, { fromMs: index, toMs: HOUR_MS + index, stream }),
    );
    const documents = bodies.map((body) => (body as { query: string }).query);
    expect(new Set(documents).size).toBe(1);
    const variables = bodies.map((body) => JSON.stringify((body as { variables: object }).variables));
    expect(new Set(variables).size).toBe(streams.length);
  }
});

it('takes one REST call per stream and refresh for 50 panels and 10 viewers, and no token request', async () => {
  expect(streams).toHaveLength(PANELS);
  for (let refresh = 0; refresh < 2; refresh++) {
    clock.advance(REFRESH_MS);
    gateway.sandbox.calls.reset();
    const views = Array.from({ length: VIEWERS }, (_, viewer) => viewer).flatMap((viewer) =>
      streams.map((stream) => ({
        stream,
        fromMs: clock.now() - HOUR_MS + viewer,
        toMs: clock.now() + viewer,
      })),
    );
    const results = await Promise.all(views.map((view) => send(panel, view)));
    expect(results.flatMap(({ chart = [] }) => chart).length).toBeGreaterThan(2 * PANELS * VIEWERS);
    const calls = gateway.restCalls({ withToken: true });
    expect(calls.filter(({ path }) => path === TOKEN_PATH)).toEqual([]);
    const ranges = calls.map(({ path }) => path).filter((path) => path.includes('/sample/range'));
    expect(new Set(ranges.map((path) => path.split('?')[0])).size).toBe(ranges.length);
  }
});
