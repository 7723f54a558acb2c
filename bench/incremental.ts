/**
 * Measures Fleet with a deferred year of series beside the same operation without the series and without `@defer`: the
 * time to the first bytes, to the last ones, and CPU time.
 */
import { startGateway, startSandbox } from './shared/processes.js';
import { cpuSeconds } from './shared/processFigures.js';
import { median } from './shared/statistics.js';
import { print, tableHead, tableRow } from './shared/tables.js';

const ROUNDS = 30;
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
  const cpuBefore = cpuSeconds(pid);
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
  return { firstMs, totalMs, cpuMs: (cpuSeconds(pid) - cpuBefore) * 1000 };
}

async function main(): Promise<void> {
  const sandbox = await startSandbox({ SANDBOX_SITES: SITES, SANDBOX_DAYS: '365' });
  const limits = { MAX_COST: '10000000', MAX_REST_CALLS: '100000', RATE_PER_SECOND: '0' };
  const gateway = await startGateway(sandbox.url, limits);
  const results = new Map<string, Duration[]>();
  try {
    // The first rounds fill the caches of samples and compile.
    for (let round = -3; round < ROUNDS; round += 1) {
      const all = Object.entries(operations);
      // Each operation follows each other one equally often.
      const order = round % 2 === 0 ? all : [...all].reverse();
      for (const [name, query] of order) {
        const duration = await measure(gateway.url, gateway.pid, query);
        if (round >= 0) results.set(name, [...(results.get(name) ?? []), duration]);
      }
    }
  } finally {
    gateway.stop();
    sandbox.stop();
  }
  print(tableHead(['Fleet', 'first bytes ms', 'total ms', 'CPU ms']));
  for (const [name, durations] of results) {
    const typical = (of: (duration: Duration) => number) => median(durations.map(of)).toFixed(1);
    const { firstMs, totalMs, cpuMs } = {
      firstMs: typical((one) => one.firstMs),
      totalMs: typical((one) => one.totalMs),
      cpuMs: typical((one) => one.cpuMs),
    };
    print(tableRow([name, firstMs, totalMs, cpuMs]));
  }
}

await main();
