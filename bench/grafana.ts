/**
 * Measures a Grafana dashboard: the panel of examples/grafana, 50 streams, 10 viewers, a refresh every 5 seconds. Each
 * viewer has its own time range and six connections, as a browser has. Viewers refresh at moments of their own, or all at
 * once, which is the worst case. Fails above the limits of latency and of REST calls.
 */
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { startCountingProxy } from './shared/countingProxy.js';
import { queryData } from './shared/graphql.js';
import { type RunningServer, startGateway, startSandbox } from './shared/processes.js';
import { cpuSeconds } from './shared/processFigures.js';
import { percentile } from './shared/statistics.js';
import { print, tableHead, tableRow, toText } from './shared/tables.js';

const PANELS = 50;
const VIEWERS = 10;
const REFRESH_MS = 5000;
const CONNECTIONS = 6;
const WARM_UP_REFRESHES = 2;
const REFRESHES = 6;
const RANGE_MS = 86_400_000;
const LIMIT_P99_MS = 50;

interface PanelOptions {
  body_graphql_query: string;
  body_graphql_variables: string;
}

interface Dashboard {
  panels: { targets: { url_options?: PanelOptions }[] }[];
}

const file = new URL('../../examples/grafana/dashboards/fieldgraph.json', import.meta.url);
const dashboard = JSON.parse(readFileSync(file, 'utf8')) as Dashboard;
const panel = dashboard.panels[0]?.targets[0]?.url_options;

/** The body that the plugin Infinity sends: it inserts Grafana's variables into both texts, and parses the second one. */
function panelBody(stream: string, nowMs: number): string {
  const values: Readonly<Record<string, string>> = {
    'stream:json': JSON.stringify(stream),
    __from: String(nowMs - RANGE_MS),
    __to: String(nowMs),
  };
  const insert = (text = '') => text.replace(/\$\{([\w:]+)\}/g, (_, name: string) => values[name] ?? '');
  const variables = JSON.parse(insert(panel?.body_graphql_variables)) as object;
  return JSON.stringify({ query: insert(panel?.body_graphql_query), variables });
}

function textOf(body: Buffer, encoding: string | undefined): string {
  return (encoding === 'gzip' ? gunzipSync(body) : body).toString();
}

/** Milliseconds from sending a request to the end of its response. */
function send(url: string, agent: Agent, body: string): Promise<number> {
  return new Promise((resolve, reject) => {
    let sentMs = 0;
    const headers = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      // As the HTTP client of Go does by default.
      'accept-encoding': 'gzip',
    };
    const sent = request(`${url}/graphql`, { method: 'POST', agent, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const latencyMs = performance.now() - sentMs;
        const text = textOf(Buffer.concat(chunks), response.headers['content-encoding']);
        if (text.startsWith('{"data":{"chart":[')) resolve(latencyMs);
        else reject(new Error(`The gateway responded ${text}`));
      });
    });
    // A request waits in the browser while its six connections are in use.
    sent.on('socket', () => {
      sentMs = performance.now();
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

interface Measurement {
  latencies: number[];
  cpuMsEach: number;
  tokenRequests: number;
  /** The most REST calls for one stream between two polls. */
  callsPerStream: number;
  restCalls: number;
}

interface Setting {
  environment: Readonly<Record<string, string>>;
  /** Whether all viewers refresh at the same moment. */
  isAtOnce: boolean;
}

async function measure(sandbox: RunningServer, { environment, isAtOnce }: Setting): Promise<Measurement> {
  const proxy = await startCountingProxy(sandbox.url);
  const gateway = await startGateway(proxy.url, { RATE_PER_SECOND: '0', ...environment });
  const agents = Array.from(
    { length: VIEWERS },
    () => new Agent({ keepAlive: true, maxSockets: CONNECTIONS }),
  );
  const { streams } = await queryData<{ streams: { nodes: { id: string }[] } }>(
    gateway.url,
    `{ streams(first: ${PANELS}, filter: { newestValue: { min: -1000000 } }) { nodes { id } } }`,
  );
  const ids = streams.nodes.map(({ id }) => id);
  if (ids.length < PANELS) throw new Error(`The sandbox has only ${ids.length} streams of numbers.`);
  const refresh = async (agent: Agent): Promise<number[]> => {
    const nowMs = Date.now();
    return Promise.all(ids.map((id) => send(gateway.url, agent, panelBody(id, nowMs))));
  };
  const refreshAll = async (refreshes: number): Promise<number[]> => {
    const viewers = agents.map(async (agent, viewer) => {
      const latencies: number[] = [];
      if (!isAtOnce) await sleep((viewer * REFRESH_MS) / VIEWERS);
      for (let count = 0; count < refreshes; count++) {
        const next = sleep(REFRESH_MS);
        latencies.push(...(await refresh(agent)));
        await next;
      }
      return latencies;
    });
    return (await Promise.all(viewers)).flat();
  };
  await refreshAll(WARM_UP_REFRESHES);
  proxy.drain();
  const cpuBefore = cpuSeconds(gateway.pid);
  const startMs = performance.now();
  const latencies = await refreshAll(REFRESHES);
  const cpuMs = (cpuSeconds(gateway.pid) - cpuBefore) * 1000;
  const polls = Math.ceil((performance.now() - startMs) / REFRESH_MS);
  const calls = proxy.drain();
  for (const agent of agents) agent.destroy();
  gateway.stop();
  proxy.close();
  const callsOfStreams = ids.map(
    (id) => calls.filter((call) => call.includes(`/stream/${id.slice('Stream:'.length)}/`)).length,
  );
  return {
    latencies: latencies.sort((one, other) => one - other),
    cpuMsEach: cpuMs / latencies.length,
    tokenRequests: calls.filter((call) => call.includes('/auth/token')).length,
    callsPerStream: Math.max(...callsOfStreams) / polls,
    restCalls: calls.length,
  };
}

const SETTINGS: Readonly<Record<string, Setting>> = {
  'viewers apart': { environment: {}, isAtOnce: false },
  'viewers apart, `LIVE_POLL=always`': { environment: { LIVE_POLL: 'always' }, isAtOnce: false },
  'viewers at once': { environment: {}, isAtOnce: true },
};

async function main(): Promise<void> {
  const sandbox = await startSandbox({});
  const columns = ['p50 ms', 'p99 ms', 'max ms', 'CPU ms each', 'REST calls per stream and poll', 'tokens'];
  print(tableHead([`${PANELS} panels, ${VIEWERS} viewers`, ...columns]));
  for (const [name, setting] of Object.entries(SETTINGS)) {
    const { latencies, cpuMsEach, callsPerStream, tokenRequests } = await measure(sandbox, setting);
    const [half, p99, most] = [0.5, 0.99, 1].map((share) => percentile(latencies, share)) as [
      number,
      number,
      number,
    ];
    print(tableRow([name, ...[half, p99, most, cpuMsEach, callsPerStream].map(toText), tokenRequests]));
    const hasFailed = tokenRequests > 0 || callsPerStream > 1 || (p99 > LIMIT_P99_MS && !setting.isAtOnce);
    if (hasFailed) process.exitCode = 1;
  }
  sandbox.stop();
}

await main();
