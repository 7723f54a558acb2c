/**
 * Compares Fleet with a deferred year of series to the same operation without the series and without `@defer`: the
 * time to the first bytes, to the last ones, and CPU time. Ratios are medians of rounds, because other load on the machine
 * disturbs neighbouring operations alike.
 */
import { parseArgs } from 'node:util';
import { type RunningServer, startGateway, startSandbox } from './shared/processes.js';
import { cpuMilliseconds } from './shared/processFigures.js';
import { median, orders } from './shared/statistics.js';
import { print, tableHead, tableRow } from './shared/tables.js';

const { values: options } = parseArgs({ options: { rounds: { type: 'string', default: '60' } } });
const ROUNDS = Number(options.rounds);
/** Enough that V8 optimises the paths of all operations. */
const WARM_UP_ROUNDS = 12;
const SITES = '4';
const ACCEPT = 'multipart/mixed;incrementalSpec=v0.2, application/json';

const to = Math.floor(Date.now() / 86_400_000) * 86_400_000;
const range = `range: { from: "${new Date(to - 364 * 86_400_000).toISOString()}", to: "${new Date(to).toISOString()}" }`;
const series = `series(${range}, maxPoints: 500) { times values }`;

const fleet = (
  inner: string,
) => `{ organizations { nodes { id name sites(first: 100) { totalCount nodes { name status
  devices { serialNumber modelNumber channels { name type { name }
  streams { name units lastSample { value sampledAt } ${inner} } } } } } } } }`;

const operations = {
  'without the series': fleet(''),
  'with the series': fleet(series),
  'with the series deferred': fleet(`... @defer { ${series} }`),
};

interface Duration {
  firstMs: number;
  totalMs: number;
  cpuMs: number;
}

async function measure(url: string, pid: number, query: string): Promise<Duration> {
  const cpuBefore = cpuMilliseconds(pid);
  const startedAt = performance.now();
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    // Every execution counts: no response of the cache.
    headers: { 'content-type': 'application/json', accept: ACCEPT, 'accept-encoding': 'identity' },
    body: JSON.stringify({ query: `${query} # ${startedAt}` }),
  });
  let firstMs = 0;
  let tail = '';
  for await (const chunk of response.body ?? []) {
    // The first bytes of a multipart response are its delimiter.
    if (firstMs === 0 && chunk.length > 100) firstMs = performance.now() - startedAt;
    tail = Buffer.from(chunk.slice(-200)).toString();
  }
  if (tail.includes('"errors"')) throw new Error(tail);
  const totalMs = performance.now() - startedAt;
  return { firstMs, totalMs, cpuMs: cpuMilliseconds(pid) - cpuBefore };
}

/** The durations of each operation, by round. */
async function measureRounds(gateway: RunningServer): Promise<ReadonlyMap<string, Duration[]>> {
  const results = new Map<string, Duration[]>(Object.keys(operations).map((name) => [name, []]));
  const permutations = orders(Object.entries(operations));
  // The first rounds fill the caches of samples and compile.
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round += 1) {
    for (const [name, query] of permutations.at(round % permutations.length) ?? []) {
      const duration = await measure(gateway.url, gateway.pid, query);
      if (round >= 0) results.get(name)?.push(duration);
    }
  }
  return results;
}

function printResults(results: ReadonlyMap<string, readonly Duration[]>): void {
  const base = results.get('with the series') ?? [];
  const ratio = (durations: readonly Duration[], figure: keyof Duration) =>
    median(durations.map((one, round) => one[figure] / (base[round]?.[figure] ?? Number.NaN))).toFixed(2);
  print(tableHead(['Fleet', 'first bytes ms', 'total ms', 'CPU ms', 'total, ratio', 'CPU, ratio']));
  for (const [name, durations] of results) {
    const typical = (figure: keyof Duration) => median(durations.map((one) => one[figure])).toFixed(1);
    const times = [typical('firstMs'), typical('totalMs'), typical('cpuMs')];
    print(tableRow([name, ...times, ratio(durations, 'totalMs'), ratio(durations, 'cpuMs')]));
  }
}

const sandbox = await startSandbox({ SANDBOX_SITES: SITES, SANDBOX_DAYS: '365' });
const limits = { MAX_COST: '10000000', MAX_REST_CALLS: '100000', RATE_PER_SECOND: '0' };
const gateway = await startGateway(sandbox.url, limits);
try {
  printResults(await measureRounds(gateway));
} finally {
  gateway.stop();
  sandbox.stop();
}
