/**
 * Measures a year of five-minute samples as a chart: how long the gateway takes beside fetching the same REST pages
 * alone, how long its event loop is held, and how much memory it takes.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { startCountingProxy } from './countingProxy.js';
import type { Watched } from './loopWatch.js';
import { SAMPLES_OF_A_YEAR, startYearSandbox, type YearSandbox } from './yearStream.js';

const METHODS = ['LTTB', 'MEAN', 'MIN_MAX'];
/** Each with a token for each method, of the fifteen that the platform gives in fifteen minutes. */
const ROUNDS = 4;
const MS_PER_TICK = 10;
const YEAR_SECONDS = 365 * 86_400;
const LIMITS = { holdMs: 50, peakMegabytes: 150, ratio: 1.5 };

interface WatchedGateway {
  url: string;
  pid: number;
  watch(): Promise<Watched>;
  stop(): void;
}

/** From `dist/bench`, where this file runs. */
const fileBeside = (name: string) => fileURLToPath(new URL(name, import.meta.url));

async function startWatchedGateway(platformUrl: string): Promise<WatchedGateway> {
  const platform = { PLATFORM_URL: platformUrl, PLATFORM_KEY: 'sandbox', PLATFORM_SECRET: 'sandbox' };
  const child = spawn(
    process.execPath,
    ['--import', new URL('loopWatch.js', import.meta.url).href, fileBeside('../main.js')],
    {
      env: { PATH: process.env['PATH'], LOG_LEVEL: 'error', PORT: '0', ...platform },
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    },
  );
  return {
    url: await firstAddress(child),
    pid: child.pid ?? 0,
    async watch() {
      const answer = once(child, 'message');
      child.send('tell');
      return (await answer)[0] as Watched;
    },
    stop: () => child.kill('SIGTERM'),
  };
}

async function firstAddress(child: ChildProcess): Promise<string> {
  let printed = '';
  for await (const chunk of child.stdout ?? []) {
    printed += String(chunk);
    const address = /http:\/\/127\.0\.0\.1:\d+/.exec(printed)?.[0];
    if (address !== undefined) return address;
  }
  throw new Error('The gateway ended before it listened.');
}

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
  const response = await fetch(`${gatewayUrl}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: CHART, variables: { id: String(year.streamId), range, method } }),
  });
  const body = (await response.json()) as { data?: { stream: { series: { sourceCount: number } } } };
  const { sourceCount } = body.data?.stream.series ?? {};
  if (from === year.from && sourceCount !== SAMPLES_OF_A_YEAR)
    throw new Error(`It answered ${JSON.stringify(body)}`);
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

/** The very requests that the gateway made, one behind the other, with the rows read and left at that. */
async function fetchAlone(restUrl: string, paths: readonly string[], token: string): Promise<void> {
  for (const path of paths) {
    const response = await fetch(restUrl + path, { headers: { authorization: `Bearer ${token}` } });
    await response.json();
  }
}

/** What something took by the clock, and of the processors' time in all processes that had to do with it. */
interface Took {
  clockMs: number;
  processorMs: number;
}

/** Elsewhere than on Linux the processors' time is not known. */
function processorMsOf(pid: number): number {
  const file = `/proc/${pid}/stat`;
  if (!existsSync(file)) return Number.NaN;
  // Behind the name, which may hold anything: the 12th and 13th are ticks of user and system time.
  const fields = readFileSync(file, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK;
}

async function measureTime(pids: readonly number[], work: () => Promise<unknown>): Promise<Took> {
  const processorMs = () => pids.reduce((total, pid) => total + processorMsOf(pid), 0);
  const before = { clockMs: performance.now(), processorMs: processorMs() };
  await work();
  return { clockMs: performance.now() - before.clockMs, processorMs: processorMs() - before.processorMs };
}

interface Round {
  cold: Took;
  alone: Took;
  calls: number;
  monthMs: number;
  monthCalls: number;
  watched: Watched;
}

/** Each round meets a gateway that has just been started. */
async function measure(year: YearSandbox, method: string, token: string): Promise<Round> {
  const proxy = await startCountingProxy(year.url);
  const gateway = await startWatchedGateway(proxy.url);
  try {
    // A gateway that runs, with nothing in its caches that could help: years before the samples begin.
    await chart(gateway.url, year, year.from - 10 * YEAR_SECONDS, year.from - 9 * YEAR_SECONDS, method);
    proxy.take();
    await gateway.watch();
    const helpers = [process.pid, year.pid];
    const cold = await measureTime([...helpers, gateway.pid], () =>
      chart(gateway.url, year, year.from, year.to, method),
    );
    const paths = proxy.take().flatMap((call) => (call.startsWith('GET ') ? [call.slice(4)] : []));
    const month = () => chart(gateway.url, year, year.to - 30 * 86_400, year.to, method);
    const monthMs = (await measureTime([gateway.pid], month)).clockMs;
    const monthCalls = proxy.take().length;
    const watched = await gateway.watch();
    const alone = await measureTime(helpers, () => fetchAlone(proxy.url, paths, token));
    return { cold, alone, calls: paths.length, monthMs, monthCalls, watched };
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
    for (const [method, done] of rounds) done.push(await measure(year, method, token));
  }
  year.stop();
  const exceeded = [...rounds].flatMap(([method, done]) => report(method, done));
  for (const line of exceeded) print(line);
  process.exitCode = exceeded.length > 0 ? 1 : 0;
}

/** The median of times; of holds and memory the worst. Answers what is beyond its limit. */
function report(method: string, rounds: readonly Round[]): string[] {
  const median = (of: (round: Round) => number) =>
    rounds.map(of).sort((a, b) => a - b)[rounds.length >> 1] ?? 0;
  const worst = (of: (round: Round) => number) => Math.max(...rounds.map(of));
  const [coldMs, aloneMs] = [median(({ cold }) => cold.clockMs), median(({ alone }) => alone.clockMs)];
  const holdMs = worst(({ watched }) => watched.longestHoldMs);
  const busyMs = worst(({ watched }) => watched.longestBusyMs);
  const peakMegabytes = worst(({ watched }) => watched.peakMegabytes);
  const startMegabytes = median(({ watched }) => watched.startMegabytes);
  // Of each round, since both have met the same machine.
  const ratio = median(({ cold, alone }) => cold.clockMs / alone.clockMs);
  const processorRatio = median(({ cold, alone }) => cold.processorMs / alone.processorMs);
  const monthCalls = worst((round) => round.monthCalls);
  print(
    `${method}: a year in ${coldMs.toFixed(0)} ms, its ${rounds[0]?.calls} REST calls alone ${aloneMs.toFixed(0)} ms`,
  );
  print(`  ratio ${ratio.toFixed(2)}, of processor time ${processorRatio.toFixed(2)}`);
  print(
    `  event loop busy for ${busyMs.toFixed(1)} ms at most, late by ${holdMs.toFixed(1)} ms by the clock`,
  );
  print(
    `  peak memory ${peakMegabytes.toFixed(0)} MB, ${startMegabytes.toFixed(0)} MB of it before the product was loaded`,
  );
  print(
    `  a month of it again in ${median((round) => round.monthMs).toFixed(0)} ms with ${monthCalls} REST calls`,
  );
  return [
    ...(method === 'LTTB' && ratio > LIMITS.ratio ? [`${method}: the ratio is above ${LIMITS.ratio}.`] : []),
    ...(busyMs > LIMITS.holdMs
      ? [`${method}: the event loop was held longer than ${LIMITS.holdMs} ms.`]
      : []),
    ...(peakMegabytes > LIMITS.peakMegabytes ? [`${method}: more than ${LIMITS.peakMegabytes} MB.`] : []),
    ...(monthCalls > (method === 'LTTB' ? 0 : 1) ? [`${method}: the month took too many REST calls.`] : []),
  ];
}

function toText(unixSeconds: number): string {
  return new Date(unixSeconds * 1000).toISOString();
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

await main();
