/** Measures time and memory of the most expensive operations within the cost limit, each in a new gateway. */
import { postOperation } from './shared/graphql.js';
import { startGateway, startSandbox } from './shared/processes.js';
import { cpuSeconds, peakMegabytes, residentMegabytes } from './shared/processFigures.js';
import { print, tableHead, tableRow } from './shared/tables.js';

interface Workload {
  name: string;
  query: string;
}

interface Measured {
  cost: number;
  milliseconds: number;
  /** CPU time of the gateway, which other load on the machine disturbs less. */
  cpuMs: number;
  megabytes: number;
  restCalls: number;
  responseMegabytes: number;
}

const MAX_MILLISECONDS = 2000;
const MAX_MEGABYTES = 200;

const aliases = (count: number, field: string) =>
  Array.from({ length: count }, (_, index) => `a${index}: ${field}`).join(' ');

const backAndForth = (levels: number, inner: string): string =>
  levels === 0 ? inner : `devices { name site { name ${backAndForth(levels - 1, inner)} } }`;

const everyStream = `id name createdAt units valueScale type { platformId name } status { platformId } channelLink
  site { name location { latitude longitude } organization { name } } channel { name type { name } device { name } }`;

const andMore = `customAttributes { platformId name value } lastSample { id value rawValue sampledAt stream { name } }
  channel { device { site { status } channels { id name } } }`;

const wholeType = `fragment Type on __Type { kind name description ${['fields', 'inputFields', 'enumValues']
  .map((part) =>
    part === 'enumValues'
      ? `${part} { name description }`
      : `${part} { name description type { name ofType { name ofType { name } } } }`,
  )
  .join(' ')} interfaces { name } possibleTypes { name } }`;

/** The first stream ids of the sandbox. A missing stream costs as much as an existing one. */
const hundredStreams = Array.from({ length: 100 }, (_, index) => `"${88_001 + index}"`).join();

const lastDays = (days: number) =>
  `range: { from: "${new Date(Date.now() - days * 86_400_000).toISOString()}", to: "${new Date().toISOString()}" }`;

const year = 'range: { from: "2025-01-01T00:00:00Z", to: "2027-01-01T00:00:00Z" }';

/** Each operation costs less than the limit of 100,000 and comes as close to it as the sandbox's data allow. */
const workloads: readonly Workload[] = [
  {
    name: 'back and forth between devices and sites',
    query: `{ sites(first: 40) { nodes { ${backAndForth(6, 'name')} } } }`,
  },
  {
    name: '12 times all streams with all around them',
    query: `{ ${aliases(12, `streams(first: 200) { nodes { ${everyStream} ${andMore} } }`)} }`,
  },
  {
    name: '15 times all sites with their streams',
    query: `{ ${aliases(15, `sites(first: 40) { nodes { streams { ${everyStream} customAttributes { name value } } } }`)} }`,
  },
  {
    name: '14 times the numbers of a stream, 1,000 each',
    query: `{ ${aliases(14, `streams(first: 4) { nodes { samples(${year}, first: 1000) { nodes { value sampledAt } } } }`)} }`,
  },
  {
    name: '14 times the queue of samples',
    query: `{ ${aliases(8, 'sampleBatch(kind: SCALAR, backfillHours: 48) { samples { id } }')} }`,
  },
  {
    name: 'a series of every stream',
    query: `{ streams(first: 65) { nodes { series(${year}, maxPoints: 1200) { times values } } } }`,
  },
  {
    name: 'a series of a few points of every stream',
    query: `{ streams(first: 86) { nodes { series(${year}, maxPoints: 3) { sourceCount } } } }`,
  },
  {
    name: 'two years of every stream in months',
    query: `{ ${aliases(1, `streams(first: 88) { nodes { aggregates(${year}, every: { months: 12 }) { count } } }`)} }`,
  },
  {
    name: 'two days of every stream in odd minutes',
    query: `{ streams(first: 180) { nodes { aggregates(${lastDays(2)}, every: { minutes: 7 }) { count } } } }`,
  },
  {
    name: 'the numbers of a hundred streams, 200 each',
    query: `{ ${aliases(2, `samplesOf(streamIds: [${hundredStreams}], first: 200) { samples { edges { node { value } } } }`)} }`,
  },
  {
    name: 'a chart of several lines for every site',
    query: `{ ${aliases(1, `sites(first: 40) { nodes { series(type: "Flow", ${lastDays(14)}, maxPoints: 120) { times lines { values min max } } } }`)} }`,
  },
  {
    name: '15 times the schema',
    query: `{ ${aliases(15, '__schema { types { ...Type } directives { name args { type { name } } } }')} } ${wholeType}`,
  },
  {
    name: 'fields and fragments repeated at each place',
    query: `{ sites(first: 20) { nodes { ${'devices { name channels { name } ...D } '.repeat(24)} } } }
      fragment D on Device { site { name } ${'channels { id type { name } } '.repeat(2)} }`,
  },
  {
    name: 'everything of every device',
    query:
      '{ devices(first: 200) { nodes { lastLog { message } lastHealth { value } health { nodes { value } } logs { nodes { message } } } } }',
  },
  {
    name: 'every threshold of every stream',
    query:
      '{ streams(first: 1000) { nodes { threshold { status levels { name upperLimit } } lastSample { value } } } }',
  },
];

type Explain = { cost: { estimated: number }; calls: { origin: string }[] };

async function measure({ name, query }: Workload, restUrl: string): Promise<Measured> {
  const gateway = await startGateway(restUrl);
  const send = (text: string) => postOperation(gateway.url, text, { headers: { 'x-explain': '1' } });
  try {
    await send('{ sites { totalCount } }');
    const megabytesBefore = residentMegabytes(gateway.pid);
    const cpuBefore = cpuSeconds(gateway.pid);
    const startedAt = performance.now();
    const { body, length } = await send(query);
    const milliseconds = performance.now() - startedAt;
    const explain = body.extensions?.['explain'] as Explain | undefined;
    if (!explain || body.errors) throw new Error(`${name}: ${body.errors?.[0]?.message}`);
    return {
      cost: explain.cost.estimated,
      milliseconds,
      cpuMs: (cpuSeconds(gateway.pid) - cpuBefore) * 1000,
      megabytes: peakMegabytes(gateway.pid) - megabytesBefore,
      restCalls: explain.calls.filter(({ origin }) => origin === 'network').length,
      responseMegabytes: length / 2 ** 20,
    };
  } finally {
    gateway.stop();
  }
}

async function main(): Promise<void> {
  const sandbox = await startSandbox({ SANDBOX_SITES: '40' });
  print(tableHead(['operation', 'cost', 'ms', 'CPU ms', 'MB more', 'REST calls', 'MB of response']));
  let isWithin = true;
  try {
    for (const workload of workloads) {
      const measured = await measure(workload, sandbox.url);
      const { cost, milliseconds, cpuMs, megabytes, restCalls, responseMegabytes } = measured;
      const numbers = [cost, milliseconds, cpuMs, megabytes, restCalls].map((number) => number.toFixed(0));
      print(tableRow([workload.name, ...numbers, responseMegabytes.toFixed(1)]));
      isWithin &&= milliseconds < MAX_MILLISECONDS && megabytes < MAX_MEGABYTES;
    }
  } finally {
    sandbox.stop();
  }
  process.exitCode = isWithin ? 0 : 1;
}

await main();
