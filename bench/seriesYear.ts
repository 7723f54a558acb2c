/**
 * Measures a chart over a year of five-minute samples: the time compared with fetching the same REST pages alone, the
 * delays of the event loop, and the memory.
 */
import type { LoopReport } from './loopWatch.js';
import { startCountingProxy } from './shared/countingProxy.js';
import { postOperation } from './shared/graphql.js';
import { type RunningServer, startGateway } from './shared/processes.js';
import { cpuSeconds } from './shared/processFigures.js';
import { median } from './shared/statistics.js';
import { print } from './shared/tables.js';
import { SAMPLES_PER_YEAR, startYearSandbox, type YearSandbox } from './yearStream.js';

const METHODS = ['LTTB', 'MEAN', 'MIN_MAX'];
/** Each round requests one token per method, of the 15 token requests that the platform allows in 15 minutes. */
const ROUNDS = 4;
const YEAR_SECONDS = 365 * 86_400;
const LIMITS = { busyMs: 50, peakMegabytes: 150, ratio: 1.5 };

const readLoop = (gateway: RunningServer) => gateway.request('report') as Promise<LoopReport>;

const CHART = `query ($id: ID!, $range: TimeRange!, $method: SeriesMethod) { stream(id: $id) {
  series(range: $range, maxPoints: 1000, method: $method) { times values min max sourceCount source } } }`;

async function chart(
  gatewayUrl: string,
  year: YearSandbox,
  from: number,
  to: number,
  method: string,
): Promise<void> {
  const range = { from: toText(from), to: toText(to) };
  const variables = { id: String(year.streamId), range, method };
  const { body } = await postOperation(gatewayUrl, CHART, { variables });
  const data = body.data as { stream: { series: { sourceCount: number } } } | undefined;
  if (from === year.from && data?.stream.series.sourceCount !== SAMPLES_PER_YEAR) {
    throw new Error(`The gateway responded ${JSON.stringify(body)}`);
  }
}

async function requestToken(restUrl: string): Promise<string> {
  const response = await fetch(`${restUrl}/auth/token`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from('sandbox:sandbox').toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: 'grant_type=client_credentials',
  });
  return ((await response.json()) as { access_token: string }).access_token;
}

/** Sends the gateway's REST requests one after another and only parses the responses. */
async function fetchAlone(restUrl: string, paths: readonly string[], token: string): Promise<void> {
  for (const path of paths) {
    const response = await fetch(restUrl + path, { headers: { authorization: `Bearer ${token}` } });
    await response.json();
  }
}

/** Wall time, and CPU time of all participating processes. */
interface Duration {
  wallMs: number;
  cpuMs: number;
}

async function measureTime(pids: readonly number[], work: () => Promise<unknown>): Promise<Duration> {
  const cpuMs = () => pids.reduce((total, pid) => total + cpuSeconds(pid) * 1000, 0);
  const before = { wallMs: performance.now(), cpuMs: cpuMs() };
  await work();
  return { wallMs: performance.now() - before.wallMs, cpuMs: cpuMs() - before.cpuMs };
}

interface Round {
  cold: Duration;
  alone: Duration;
  calls: number;
  monthMs: number;
  monthCalls: number;
  loop: LoopReport;
}

/** Measures one round with a new gateway. */
async function measure(year: YearSandbox, method: string, token: string): Promise<Round> {
  const proxy = await startCountingProxy(year.url);
  const nodeArguments = ['--import', new URL('loopWatch.js', import.meta.url).href];
  const gateway = await startGateway(proxy.url, {}, { nodeArguments, hasChannel: true });
  try {
    // Warms the gateway up without filling its caches: the range ends years before the first sample.
    await chart(gateway.url, year, year.from - 10 * YEAR_SECONDS, year.from - 9 * YEAR_SECONDS, method);
    proxy.drain();
    await readLoop(gateway);
    const helpers = [process.pid, year.pid];
    const cold = await measureTime([...helpers, gateway.pid], () =>
      chart(gateway.url, year, year.from, year.to, method),
    );
    const paths = proxy.drain().flatMap((call) => (call.startsWith('GET ') ? [call.slice(4)] : []));
    const month = () => chart(gateway.url, year, year.to - 30 * 86_400, year.to, method);
    const monthMs = (await measureTime([gateway.pid], month)).wallMs;
    const monthCalls = proxy.drain().length;
    const loop = await readLoop(gateway);
    const alone = await measureTime(helpers, () => fetchAlone(proxy.url, paths, token));
    return { cold, alone, calls: paths.length, monthMs, monthCalls, loop };
  } finally {
    gateway.stop();
    proxy.close();
  }
}

async function main(): Promise<void> {
  const year = await startYearSandbox();
  const token = await requestToken(year.url);
  const rounds = new Map<string, Round[]>(METHODS.map((method) => [method, []]));
  for (let round = 0; round < ROUNDS; round++) {
    for (const [method, results] of rounds) results.push(await measure(year, method, token));
  }
  year.stop();
  const exceeded = [...rounds].flatMap(([method, results]) => report(method, results));
  for (const line of exceeded) print(line);
  process.exitCode = exceeded.length > 0 ? 1 : 0;
}

/** Prints the median of times and the worst of delays and memory. Returns the exceeded limits. */
function report(method: string, rounds: readonly Round[]): string[] {
  const typical = (of: (round: Round) => number) => median(rounds.map(of));
  const worst = (of: (round: Round) => number) => Math.max(...rounds.map(of));
  const busyMs = worst(({ loop }) => loop.maxBusyMs);
  const delayMs = worst(({ loop }) => loop.maxDelayMs);
  const peakMegabytes = worst(({ loop }) => loop.peakMegabytes);
  const startMegabytes = typical(({ loop }) => loop.startMegabytes);
  // A ratio per round, because both parts of a round ran under the same load.
  const ratio = typical(({ cold, alone }) => cold.wallMs / alone.wallMs);
  const cpuRatio = typical(({ cold, alone }) => cold.cpuMs / alone.cpuMs);
  const monthCalls = worst((round) => round.monthCalls);
  const [coldMs, aloneMs] = [typical(({ cold }) => cold.wallMs), typical(({ alone }) => alone.wallMs)];
  print(
    `${method}: a year in ${coldMs.toFixed(0)} ms, its ${rounds[0]?.calls} REST calls alone ${aloneMs.toFixed(0)} ms`,
  );
  print(`  ratio ${ratio.toFixed(2)}, of CPU time ${cpuRatio.toFixed(2)}`);
  print(`  event loop busy for at most ${busyMs.toFixed(1)} ms, delayed by at most ${delayMs.toFixed(1)} ms`);
  print(
    `  peak memory ${peakMegabytes.toFixed(0)} MB, of which ${startMegabytes.toFixed(0)} MB before the product was loaded`,
  );
  print(
    `  a month of it again in ${typical((round) => round.monthMs).toFixed(0)} ms with ${monthCalls} REST calls`,
  );
  return [
    ...(method === 'LTTB' && ratio > LIMITS.ratio ? [`${method}: the ratio is above ${LIMITS.ratio}.`] : []),
    ...(busyMs > LIMITS.busyMs
      ? [`${method}: the event loop was busy for more than ${LIMITS.busyMs} ms.`]
      : []),
    ...(peakMegabytes > LIMITS.peakMegabytes ? [`${method}: more than ${LIMITS.peakMegabytes} MB.`] : []),
    ...(monthCalls > (method === 'LTTB' ? 0 : 1) ? [`${method}: the month needed too many REST calls.`] : []),
  ];
}

function toText(unixSeconds: number): string {
  return new Date(unixSeconds * 1000).toISOString();
}

await main();
