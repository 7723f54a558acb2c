/** Counts the REST calls that each operation costs, cold and again, beside the fewest that could answer it. */
import { readFileSync } from 'node:fs';
import { startCountingProxy } from './countingProxy.js';
import { startProduct } from './product.js';

interface Workload {
  name: string;
  query: string;
  variables?: (siteId: string) => object;
  /** The fewest REST calls that could answer it cold, the token's included; null where it depends on the data. */
  lowerBound: number | null;
  /** More than this fails the run. */
  most: number;
}

const operation = (name: string) =>
  readFileSync(new URL(`../../explorer/operations/${name}.graphql`, import.meta.url), 'utf8');

const devices = (rest: string) =>
  `{ sites { nodes { name organization { name } devices { name ${rest} } } } }`;

const workloads: readonly Workload[] = [
  { name: 'sites, flat', query: '{ sites { nodes { name status } } }', lowerBound: 2, most: 2 },
  { name: 'sites, organizations, devices', query: devices(''), lowerBound: 4, most: 4 },
  { name: '… and channels', query: devices('channels { name }'), lowerBound: 5, most: 5 },
  {
    name: '… and streams of each channel',
    query: devices('channels { name streams { name } }'),
    lowerBound: 7,
    most: 7,
  },
  { name: 'Fleet, with last samples', query: operation('Fleet'), lowerBound: null, most: 1000 },
  {
    name: 'SitePage',
    query: operation('SitePage'),
    variables: (id) => ({ id }),
    lowerBound: null,
    most: 100,
  },
  { name: 'Nearby', query: operation('Nearby'), lowerBound: 2, most: 2 },
  {
    name: '14 aliases of one site',
    query: `{ ${Array.from({ length: 14 }, (_, index) => `s${index}: site(id: "16801") { name }`).join(' ')} }`,
    lowerBound: 2,
    most: 2,
  },
];

async function ask(url: string, query: string, variables: object): Promise<void> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  });
  const answer = (await response.json()) as { errors?: readonly { message: string }[] };
  if (answer.errors) throw new Error(`An operation failed: ${answer.errors[0]?.message}`);
}

/** Each workload meets a gateway of its own that has just been started: nothing is in its caches. */
async function count(workload: Workload, restUrl: string): Promise<{ cold: number; again: number }> {
  const proxy = await startCountingProxy(restUrl);
  const platform = { PLATFORM_URL: proxy.url, PLATFORM_KEY: 'sandbox', PLATFORM_SECRET: 'sandbox' };
  const gateway = await startProduct([], { PORT: '0', ...platform });
  try {
    const variables = workload.variables?.('Site:16801') ?? {};
    await ask(gateway.url, workload.query, variables);
    const cold = proxy.take().length;
    await ask(gateway.url, workload.query, variables);
    return { cold, again: proxy.take().length };
  } finally {
    gateway.stop();
    proxy.close();
  }
}

async function main(): Promise<void> {
  const sandbox = await startProduct(['sandbox'], { SANDBOX_PORT: '0', SANDBOX_SITES: '40' });
  const exceeded: string[] = [];
  print('REST calls on the sandbox with 40 sites, the token request included', '');
  print('operation', 'lower bound    cold   again');
  for (const workload of workloads) {
    const { cold, again } = await count(workload, sandbox.url);
    const numbers = [workload.lowerBound ?? '-', cold, again].map((number) => String(number).padStart(8));
    print(workload.name, `   ${numbers.join('')}`);
    if (cold > workload.most)
      exceeded.push(`${workload.name}: ${cold} calls are more than ${workload.most}.`);
  }
  sandbox.stop();
  for (const line of exceeded) print(line, '');
  process.exitCode = exceeded.length > 0 ? 1 : 0;
}

function print(name: string, rest: string): void {
  process.stdout.write(`${name.padEnd(36)}${rest}\n`);
}

await main();
