/** Times the most expensive operations that the cost budget lets through, and how much memory they take: each in a gateway of its own. */
import { readFileSync } from 'node:fs';
import { processorMs } from './processorTime.js';
import { type RunningProduct, startProduct } from './product.js';

interface Workload {
  name: string;
  query: string;
}

interface Measured {
  cost: number;
  milliseconds: number;
  /** Of a processor, by the gateway: what is left of a run on a machine that others use too. */
  busyMs: number;
  megabytes: number;
  restCalls: number;
  answerMegabytes: number;
}

const MOST_MILLISECONDS = 2000;
const MOST_MEGABYTES = 200;

const aliases = (count: number, field: string) =>
  Array.from({ length: count }, (_, index) => `a${index}: ${field}`).join(' ');

const backAndForth = (levels: number, inner: string): string =>
  levels === 0 ? inner : `devices { name site { name ${backAndForth(levels - 1, inner)} } }`;

const everyStream = `id name createdAt units valueScale type { id name } status { id } channelLink
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

/** Ids begin here in the sandbox of 40 sites; one that is missing costs what one that is there does. */
const hundredStreams = Array.from({ length: 100 }, (_, index) => `"${88_001 + index}"`).join();

const lastDays = (days: number) =>
  `range: { from: "${new Date(Date.now() - days * 86_400_000).toISOString()}", to: "${new Date().toISOString()}" }`;

const year = 'range: { from: "2025-01-01T00:00:00Z", to: "2027-01-01T00:00:00Z" }';

/** Each within the budget of 100,000, as far up to it as the sandbox's data go. */
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

interface Answer {
  errors?: { message: string; extensions?: { code?: string } }[];
  extensions?: { explain?: { cost: { estimated: number }; calls: { origin: string }[] } };
}

/** Resident memory in megabytes: now, or at its highest. */
function memoryOf({ pid }: RunningProduct, what: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`${what}:\\s+(\\d+)`).exec(status)?.[1]) / 1024;
}

async function ask(url: string, query: string): Promise<{ answer: Answer; bytes: number }> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-explain': '1' },
    body: JSON.stringify({ query }),
  });
  const text = await response.text();
  return { answer: JSON.parse(text) as Answer, bytes: text.length };
}

async function measure({ name, query }: Workload, restUrl: string): Promise<Measured> {
  const platform = { PLATFORM_URL: restUrl, PLATFORM_KEY: 'sandbox', PLATFORM_SECRET: 'sandbox' };
  const gateway = await startProduct([], { PORT: '0', ...platform });
  try {
    await ask(gateway.url, '{ sites { totalCount } }');
    const before = memoryOf(gateway, 'VmRSS');
    const busyBeforeMs = processorMs(gateway.pid);
    const startedAt = performance.now();
    const { answer, bytes } = await ask(gateway.url, query);
    const milliseconds = performance.now() - startedAt;
    const { explain } = answer.extensions ?? {};
    if (!explain) throw new Error(`${name}: ${answer.errors?.[0]?.message}`);
    return {
      cost: explain.cost.estimated,
      milliseconds,
      busyMs: processorMs(gateway.pid) - busyBeforeMs,
      megabytes: memoryOf(gateway, 'VmHWM') - before,
      restCalls: explain.calls.filter(({ origin }) => origin === 'network').length,
      answerMegabytes: bytes / 2 ** 20,
    };
  } finally {
    gateway.stop();
  }
}

async function main(): Promise<void> {
  const sandbox = await startProduct(['sandbox'], { SANDBOX_PORT: '0', SANDBOX_SITES: '40' });
  print('operation', 'cost       ms  busy ms  MB more  REST calls  MB answered');
  let isWithin = true;
  try {
    for (const workload of workloads) {
      const measured = await measure(workload, sandbox.url);
      const { cost, milliseconds, busyMs, megabytes, restCalls, answerMegabytes } = measured;
      const numbers = [cost, milliseconds, busyMs, megabytes, restCalls].map((number) =>
        number.toFixed(0).padStart(9),
      );
      print(workload.name, `${numbers.join('')} ${answerMegabytes.toFixed(1).padStart(9)}`);
      isWithin &&= milliseconds < MOST_MILLISECONDS && megabytes < MOST_MEGABYTES;
    }
  } finally {
    sandbox.stop();
  }
  process.exitCode = isWithin ? 0 : 1;
}

function print(name: string, rest: string): void {
  process.stdout.write(`${name.padEnd(46)}${rest}\n`);
}

await main();
