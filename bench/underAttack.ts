/**
 * Measures the effect of attacks on normal callers: their response times in alternating quiet and attacked phases, and the
 * REST calls that the attack alone causes.
 */
import { parseArgs } from 'node:util';
import type { AttackReport } from './attack/attacker.js';
import { type Attackers, createAttackers, createSocketAttackers } from './attack/attackers.js';
import { type NormalCallers, sendSteadily } from './attack/normalCaller.js';
import { probeByTime } from './attack/probeByTime.js';
import { NORMAL_CALLERS, openToAll, type SetUp, withApiKeys, withTokens } from './attack/setUps.js';
import { socketForms } from './attack/socketForms.js';
import { describeTurns, measureSocketTurns } from './attack/socketTurns.js';
import { type CountingProxy, startCountingProxy } from './shared/countingProxy.js';
import { type RunningServer, startGateway, startSandbox } from './shared/processes.js';
import { cpuSeconds } from './shared/processFigures.js';
import { medianPercentile } from './shared/statistics.js';
import { print, tableHead, tableRow } from './shared/tables.js';

const { values: options } = parseArgs({
  options: {
    /** Length of each phase: 4 s are 1,000 responses. */
    seconds: { type: 'string', default: '4' },
    /** Pairs of a quiet and an attacked phase. */
    rounds: { type: 'string', default: '3' },
    /** Attack requests per second. 0: each connection sends as soon as it has a response. */
    rates: { type: 'string', default: '0' },
    connections: { type: 'string', default: '16' },
    /** Runs only the attacks whose names contain this text, for example `websocket` or `websocket: queries`. */
    only: { type: 'string', default: '' },
  },
});
const PHASE_MS = Number(options.seconds) * 1000;
const ROUNDS = Number(options.rounds);
const CONNECTIONS = Number(options.connections);
/** Rate of all normal callers together. */
const NORMAL_PER_SECOND = 250;
const MAX_RATIO = 2;
/** Not the address of a normal caller. */
const ATTACKER = '127.0.0.66';

const NORMAL = `{ sites(first: 10) { nodes { name status organization { name }
  devices { serialNumber channels { name type { name } } } streams { name units lastSample { value sampledAt } } } } }`;

interface Turns {
  /** The response times of each phase in milliseconds. */
  quiet: number[][];
  attacked: number[][];
  reports: AttackReport[];
  /** CPU time of the gateway in seconds. */
  quietCpu: number;
  attackedCpu: number;
}

/** Alternates quiet and attacked phases, so that other load on the machine affects both. */
async function measureTurns(
  callers: NormalCallers,
  attackers: Attackers,
  { forms }: SetUp,
  perSecond: number,
  pid: number,
): Promise<Turns> {
  const turns: Turns = { quiet: [], attacked: [], reports: [], quietCpu: 0, attackedCpu: 0 };
  for (let round = 0; round < ROUNDS; round++) {
    const cpuAtStart = cpuSeconds(pid);
    turns.quiet.push(await sendSteadily(callers, PHASE_MS));
    const cpuAtAttack = cpuSeconds(pid);
    attackers.start(callers.url, { forms, from: ATTACKER, connections: CONNECTIONS, perSecond });
    turns.attacked.push(await sendSteadily(callers, PHASE_MS));
    turns.reports.push(await attackers.end());
    turns.quietCpu += cpuAtAttack - cpuAtStart;
    turns.attackedCpu += cpuSeconds(pid) - cpuAtAttack;
  }
  return turns;
}

/** Counts the REST calls in a second in which only the attacker sends requests. */
async function countCalls(
  gateway: RunningServer,
  attackers: Attackers,
  { forms }: SetUp,
  proxy: CountingProxy,
) {
  proxy.drain();
  attackers.start(gateway.url, { forms, from: ATTACKER, connections: CONNECTIONS, perSecond: 0 });
  await new Promise((resolve) => setTimeout(resolve, 1000));
  return { report: await attackers.end(), calls: proxy.drain() };
}

/** Returns whether the attack caused no REST call and stayed within the limits. */
async function measure(setUp: SetUp, restUrl: string, attackers: Attackers): Promise<boolean> {
  const proxy = await startCountingProxy(restUrl);
  const gateway = await startGateway(proxy.url, setUp.environment);
  const callers = { url: gateway.url, headers: setUp.headers, query: NORMAL, perSecond: NORMAL_PER_SECOND };
  try {
    await sendSteadily(callers, PHASE_MS);
    const { calls, report } = await countCalls(gateway, attackers, setUp, proxy);
    print(`\n${setUp.name}: ${calls.length} REST calls for ${report.sent} requests of the attack\n`);
    print(
      tableHead([
        ...['attack rate', 'quiet p50', 'quiet p99', 'attacked p50', 'attacked p99', 'p99 ratio'],
        ...['attacks/s', 'CPU quiet', 'CPU attacked'],
      ]),
    );
    const reports: AttackReport[] = [];
    let isWithin = calls.length === 0;
    for (const rate of options.rates.split(',').map(Number)) {
      const turns = await measureTurns(callers, attackers, setUp, rate, gateway.pid);
      isWithin = printTurns(rate, turns) && isWithin;
      reports.push(...turns.reports);
    }
    return printCodes(reports) && isWithin;
  } finally {
    gateway.stop();
    proxy.close();
  }
}

/** Uses a gateway without rate limit, which would otherwise reject most probes. */
async function measureProbes({ name, environment, probes }: SetUp, restUrl: string): Promise<void> {
  if (!probes) return;
  const gateway = await startGateway(restUrl, { ...environment, RATE_PER_SECOND: '0' });
  try {
    const medians = Object.entries(await probeByTime(gateway.url, probes));
    const texts = medians.map(([probe, us]) => `${probe} ${us.toFixed(0)} us`);
    print(`\n${name}: median time of a rejection: ${texts.join(', ')}`);
  } finally {
    gateway.stop();
  }
}

/** Prints a row. Returns whether the ratio of the 99th percentiles is within its limit. */
function printTurns(rate: number, { quiet, attacked, reports, quietCpu, attackedCpu }: Turns): boolean {
  const ratio = medianPercentile(attacked, 0.99) / medianPercentile(quiet, 0.99);
  const sent = reports.reduce((sum, report) => sum + report.sent, 0);
  const times = [quiet, attacked].flatMap((phases) =>
    [0.5, 0.99].map((share) => medianPercentile(phases, share).toFixed(1)),
  );
  const seconds = (ROUNDS * PHASE_MS) / 1000;
  const shares = [quietCpu, attackedCpu].map((cpu) => `${Math.round((cpu / seconds) * 100)}%`);
  const name = rate === 0 ? 'unlimited' : `${rate}/s`;
  print(tableRow([name, ...times, ratio.toFixed(2), Math.round(sent / seconds), ...shares]));
  return ratio <= MAX_RATIO;
}

/** Prints the number of responses by code. Returns whether every attack had an allowed code. */
function printCodes(reports: readonly AttackReport[]): boolean {
  const counts = new Map<string, number>();
  for (const { codes } of reports) {
    for (const [code, count] of Object.entries(codes)) counts.set(code, (counts.get(code) ?? 0) + count);
  }
  const sorted = [...counts].sort(([, one], [, other]) => other - one);
  print(`\n${sorted.map(([code, count]) => `${count} ${code}`).join(', ')}`);
  const wrong: Record<string, string> = Object.assign({}, ...reports.map((report) => report.wrong));
  for (const [form, code] of Object.entries(wrong)) print(`${form} was answered ${code}`);
  return Object.keys(wrong).length === 0;
}

/** Measures all attacks by websocket on gateways without authentication. */
async function measureSockets(restUrl: string): Promise<boolean> {
  const attackers = createSocketAttackers();
  const headers = Array<Record<string, string>>(NORMAL_CALLERS).fill({});
  let isWithin = true;
  print('');
  print(
    tableHead([
      ...['websocket', 'quiet p50', 'quiet p99', 'attacked p50', 'attacked p99', 'p99 ratio'],
      ...['MB quiet', 'MB attacked', 'MB sent', 'connections'],
    ]),
  );
  try {
    for (const form of socketForms.filter(({ name }) => `websocket: ${name}`.includes(options.only))) {
      const gateway = await startGateway(restUrl);
      const callers = { url: gateway.url, headers, query: NORMAL, perSecond: NORMAL_PER_SECOND };
      try {
        await sendSteadily(callers, PHASE_MS);
        const turns = await measureSocketTurns(form, attackers, {
          ...{ callers, pid: gateway.pid, rounds: ROUNDS, phaseMs: PHASE_MS },
          ...{ connections: CONNECTIONS, from: ATTACKER },
        });
        const described = describeTurns(form, turns, MAX_RATIO);
        print(tableRow(described.cells));
        isWithin = described.isWithin && isWithin;
      } finally {
        gateway.stop();
      }
    }
  } finally {
    attackers.close();
  }
  return isWithin;
}

async function main(): Promise<void> {
  const sandbox = await startSandbox({ SANDBOX_SITES: '40' });
  const attackers = createAttackers();
  const setUps = [openToAll(), withApiKeys(true), withApiKeys(false), await withTokens()];
  let isWithin = true;
  try {
    for (const setUp of setUps.filter(({ name }) => name.includes(options.only))) {
      isWithin = (await measure(setUp, sandbox.url, attackers)) && isWithin;
      await measureProbes(setUp, sandbox.url);
    }
    const { only } = options;
    if (only === '' || only.startsWith('websocket'))
      isWithin = (await measureSockets(sandbox.url)) && isWithin;
  } finally {
    attackers.close();
    sandbox.stop();
    for (const setUp of setUps) setUp.close();
  }
  process.exitCode = isWithin ? 0 : 1;
}

await main();
