/**
 * Compares `_entities` with `nodes` for the same 1,000 ids of all types, from warm caches and with `no-cache`: time and
 * CPU time of one operation. Ratios are medians of rounds.
 */
import { parseArgs } from 'node:util';
import { queryData } from './shared/graphql.js';
import { type RunningServer, startGateway, startSandbox } from './shared/processes.js';
import { cpuMilliseconds } from './shared/processFigures.js';
import { median, orders } from './shared/statistics.js';
import { print, tableHead, tableRow } from './shared/tables.js';

const { values: options } = parseArgs({ options: { rounds: { type: 'string', default: '200' } } });
const ROUNDS = Number(options.rounds);
/** Enough that V8 optimises the paths of all operations. */
const WARM_UP_ROUNDS = 50;
const COUNT = 1000;

const IDS = `{ organizations { nodes { id } } users { nodes { id } }
  sites(first: 1000) { nodes { id devices { id channels { id } } streams { id } } } }`;

const FIELDS = `__typename ... on Organization { id name } ... on User { id userName } ... on Site { id name status }
  ... on Device { id serialNumber modelNumber } ... on Channel { id name } ... on Stream { id name units }`;

interface Ids {
  organizations: { nodes: { id: string }[] };
  users: { nodes: { id: string }[] };
  sites: {
    nodes: {
      id: string;
      devices: { id: string; channels: { id: string }[] }[];
      streams: { id: string }[];
    }[];
  };
}

const NODES = `query ($ids: [ID!]!) { items: nodes(ids: $ids) { ${FIELDS} } }`;
const ENTITIES = `query ($representations: [_Any!]!) { items: _entities(representations: $representations) { ${FIELDS} } }`;

/** The same number of ids of each type if the sandbox has as many. */
function pickMixed({ organizations, users, sites }: Ids): string[] {
  const idsOf = (items: readonly { id: string }[]) => items.map(({ id }) => id);
  const devices = sites.nodes.flatMap((site) => site.devices);
  const queues = [
    idsOf(organizations.nodes),
    idsOf(users.nodes),
    idsOf(sites.nodes),
    idsOf(devices),
    idsOf(devices.flatMap(({ channels }) => channels)),
    idsOf(sites.nodes.flatMap(({ streams }) => streams)),
  ];
  const mixed: string[] = [];
  for (let index = 0; mixed.length < COUNT && queues.some((queue) => index < queue.length); index += 1) {
    mixed.push(...queues.flatMap((queue) => queue.slice(index, index + 1)));
  }
  return mixed.slice(0, COUNT);
}

interface Duration {
  ms: number;
  cpuMs: number;
}

interface Operation {
  query: string;
  variables: object;
  headers: Readonly<Record<string, string>>;
}

let executions = 0;

async function measure(
  { url, pid }: RunningServer,
  { query, variables, headers }: Operation,
): Promise<Duration> {
  executions += 1;
  // Every execution counts: no response of the cache.
  const body = JSON.stringify({ query, variables: { ...variables, executions } });
  const cpuBefore = cpuMilliseconds(pid);
  const startedAt = performance.now();
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'accept-encoding': 'identity', ...headers },
    body,
  });
  const text = await response.text();
  const ms = performance.now() - startedAt;
  if (text.includes('"errors"') || text.includes('null}')) throw new Error(text.slice(0, 1000));
  return { ms, cpuMs: cpuMilliseconds(pid) - cpuBefore };
}

async function compare(
  gateway: RunningServer,
  title: string,
  operations: Readonly<Record<string, Operation>>,
) {
  const results = new Map<string, Duration[]>(Object.keys(operations).map((name) => [name, []]));
  const permutations = orders(Object.entries(operations));
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round += 1) {
    for (const [name, operation] of permutations.at(round % permutations.length) ?? []) {
      const duration = await measure(gateway, operation);
      if (round >= 0) results.get(name)?.push(duration);
    }
  }
  const [base = []] = results.values();
  for (const [name, durations] of results) {
    const typical = (figure: keyof Duration) => median(durations.map((one) => one[figure])).toFixed(1);
    const ratio = (figure: keyof Duration) =>
      median(durations.map((one, round) => one[figure] / (base[round]?.[figure] ?? Number.NaN))).toFixed(2);
    print(tableRow([title, name, typical('ms'), typical('cpuMs'), ratio('ms'), ratio('cpuMs')]));
  }
}

const sandbox = await startSandbox({ SANDBOX_SITES: '100' });
const limits = { FEDERATION: 'on', MAX_COST: '10000000', RATE_PER_SECOND: '0' };
const gateway = await startGateway(sandbox.url, limits);
try {
  const ids = pickMixed(await queryData<Ids>(gateway.url, IDS));
  const representations = ids.map((id) => ({ __typename: id.split(':')[0], id }));
  const operations = (headers: Readonly<Record<string, string>>) => ({
    '`nodes`': { query: NODES, variables: { ids }, headers },
    '`_entities`': { query: ENTITIES, variables: { representations }, headers },
  });
  print(`${ids.length} objects of ${new Set(ids.map((id) => id.split(':')[0])).size} types\n`);
  print(tableHead(['caches', 'field', 'ms', 'CPU ms', 'time, ratio', 'CPU, ratio']));
  await compare(gateway, 'warm', operations({}));
  await compare(gateway, '`no-cache`', operations({ 'cache-control': 'no-cache' }));
} finally {
  gateway.stop();
  sandbox.stop();
}
