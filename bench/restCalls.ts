/** Counts the REST calls of each operation, with empty caches and repeated, and compares them with a lower bound. */
import { readFileSync } from 'node:fs';
import { startCountingProxy } from './shared/countingProxy.js';
import { queryData } from './shared/graphql.js';
import { startGateway, startSandbox } from './shared/processes.js';
import { print, tableHead, tableRow } from './shared/tables.js';

interface Workload {
  name: string;
  query: string;
  variables?: (siteId: string) => object;
  /** The minimum of REST calls with empty caches, including the token request. Null if it depends on the data. */
  lowerBound: number | null;
  /** The run fails above this. */
  maximum: number;
}

const operation = (name: string) =>
  readFileSync(new URL(`../../explorer/operations/${name}.graphql`, import.meta.url), 'utf8');

const devices = (rest: string) =>
  `{ sites { nodes { name organization { name } devices { name ${rest} } } } }`;

const workloads: readonly Workload[] = [
  { name: 'sites, flat', query: '{ sites { nodes { name status } } }', lowerBound: 2, maximum: 2 },
  { name: 'sites, organizations, devices', query: devices(''), lowerBound: 4, maximum: 4 },
  { name: '… and channels', query: devices('channels { name }'), lowerBound: 5, maximum: 5 },
  {
    name: '… and streams of each channel',
    query: devices('channels { name streams { name } }'),
    lowerBound: 7,
    maximum: 7,
  },
  { name: 'Fleet, with last samples', query: operation('Fleet'), lowerBound: null, maximum: 1000 },
  {
    name: 'SitePage',
    query: operation('SitePage'),
    variables: (id) => ({ id }),
    lowerBound: null,
    maximum: 100,
  },
  { name: 'Nearby', query: operation('Nearby'), lowerBound: 2, maximum: 2 },
  {
    name: '14 aliases of one site',
    query: `{ ${Array.from({ length: 14 }, (_, index) => `s${index}: site(id: "16801") { name }`).join(' ')} }`,
    lowerBound: 2,
    maximum: 2,
  },
];

/** Starts a new gateway for each workload, so that its caches are empty. */
async function count(workload: Workload, restUrl: string): Promise<{ cold: number; again: number }> {
  const proxy = await startCountingProxy(restUrl);
  const gateway = await startGateway(proxy.url);
  try {
    const variables = workload.variables?.('Site:16801') ?? {};
    await queryData(gateway.url, workload.query, variables);
    const cold = proxy.drain().length;
    await queryData(gateway.url, workload.query, variables);
    return { cold, again: proxy.drain().length };
  } finally {
    gateway.stop();
    proxy.close();
  }
}

async function main(): Promise<void> {
  const sandbox = await startSandbox({ SANDBOX_SITES: '40' });
  const exceeded: string[] = [];
  print('REST calls on the sandbox with 40 sites, including the token request\n');
  print(tableHead(['operation', 'lower bound', 'cold', 'again']));
  for (const workload of workloads) {
    const { cold, again } = await count(workload, sandbox.url);
    print(tableRow([workload.name, workload.lowerBound ?? '-', cold, again]));
    if (cold > workload.maximum) {
      exceeded.push(`${workload.name}: ${cold} calls are more than ${workload.maximum}.`);
    }
  }
  sandbox.stop();
  for (const line of exceeded) print(line);
  process.exitCode = exceeded.length > 0 ? 1 : 0;
}

await main();
