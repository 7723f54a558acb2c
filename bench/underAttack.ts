/**
 * Measures the effect of attacks on normal callers: their response times in alternating quiet and attacked phases, and the
 * REST calls that the attack alone causes.
 */
import { parseArgs } from 'node:util';
import type { AttackReport } from './attack/attacker.js';
import { type Attackers, createAttackers, createSocketAttackers } from './attack/attackers.js';
import { sendSteadily } from './attack/normalCaller.js';
import { describeRounds, measureRounds, ROUND_TITLES, type Rounds, turnWatch } from './attack/phases.js';
import { prioritizeClientAndPlatform, prioritizeGateway } from './attack/priorities.js';
import { probeByTime } from './attack/probeByTime.js';
import { NORMAL_CALLERS, openToAll, type SetUp, withApiKeys, withTokens } from './attack/setUps.js';
import { socketForms } from './attack/socketForms.js';
import { describeTurns, measureSocketTurns } from './attack/socketTurns.js';
import { type CountingProxy, startCountingProxy } from './shared/countingProxy.js';
import { type RunningServer, startGateway, startSandbox } from './shared/processes.js';
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
async function measure(setUp: SetUp, sandbox: RunningServer, attackers: Attackers): Promise<boolean> {
  const proxy = await startCountingProxy(sandbox.url);
  const gateway = await startGateway(proxy.url, setUp.environment, turnWatch);
  prioritizeGateway(gateway.pid);
  const callers = { url: gateway.url, headers: setUp.headers, query: NORMAL, perSecond: NORMAL_PER_SECOND };
  try {
    await sendSteadily(callers, PHASE_MS);
    const { calls, report } = await countCalls(gateway, attackers, setUp, proxy);
    print(`\n${setUp.name}: ${calls.length} REST calls for ${report.sent} requests of the attack\n`);
    print(tableHead(['attack rate', ...ROUND_TITLES, 'attacks/s', 'CPU quiet', 'CPU attacked']));
    const reports: AttackReport[] = [];
    let isWithin = calls.length === 0;
    for (const rate of options.rates.split(',').map(Number)) {
      const sent: AttackReport[] = [];
      const rounds = await measureRounds({
        ...{ gateway, callers, rounds: ROUNDS, phaseMs: PHASE_MS, others: [attackers.pid, sandbox.pid] },
        attack: () =>
          attackers.start(gateway.url, {
            ...{ forms: setUp.forms, from: ATTACKER, connections: CONNECTIONS, perSecond: rate },
          }),
        endAttack: async () => sent.push(await attackers.end()),
      });
      isWithin = printTurns(rate, rounds, sent) && isWithin;
      reports.push(...sent);
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
function printTurns(rate: number, rounds: Rounds, reports: readonly AttackReport[]): boolean {
  const { cells, ratio } = describeRounds(rounds);
  const sent = reports.reduce((sum, report) => sum + report.sent, 0);
  const seconds = (ROUNDS * PHASE_MS) / 1000;
  const shares = [rounds.quiet, rounds.attacked].map(({ cpu }) => `${Math.round((cpu / seconds) * 100)}%`);
  const name = rate === 0 ? 'unlimited' : `${rate}/s`;
  print(tableRow([name, ...cells, Math.round(sent / seconds), ...shares]));
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
  for (const [form, code] of Object.entries(wrong)) print(`${form} got the response ${code}`);
  return Object.keys(wrong).length === 0;
}

/** Measures all attacks by websocket on gateways without authentication. */
async function measureSockets(sandbox: RunningServer): Promise<boolean> {
  const attackers = createSocketAttackers();
  const headers = Array<Record<string, string>>(NORMAL_CALLERS).fill({});
  let isWithin = true;
  print('');
  print(tableHead(['websocket', ...ROUND_TITLES, 'MB quiet', 'MB attacked', 'MB sent', 'connections']));
  try {
    for (const form of socketForms.filter(({ name }) => `websocket: ${name}`.includes(options.only))) {
      const gateway = await startGateway(sandbox.url, {}, turnWatch);
      prioritizeGateway(gateway.pid);
      const callers = { url: gateway.url, headers, query: NORMAL, perSecond: NORMAL_PER_SECOND };
      try {
        await sendSteadily(callers, PHASE_MS);
        const turns = await measureSocketTurns(form, attackers, {
          ...{ gateway, callers, rounds: ROUNDS, phaseMs: PHASE_MS, others: [attackers.pid, sandbox.pid] },
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
  if (!prioritizeClientAndPlatform(sandbox.pid))
    print('No real-time priorities: the response times contain the competition for the CPU.');
  const attackers = createAttackers();
  const setUps = [openToAll(), withApiKeys(true), withApiKeys(false), await withTokens()];
  let isWithin = true;
  try {
    for (const setUp of setUps.filter(({ name }) => name.includes(options.only))) {
      isWithin = (await measure(setUp, sandbox, attackers)) && isWithin;
      await measureProbes(setUp, sandbox.url);
    }
    const { only } = options;
    if (only === '' || only.startsWith('websocket')) isWithin = (await measureSockets(sandbox)) && isWithin;
  } finally {
    attackers.close();
    sandbox.stop();
    for (const setUp of setUps) setUp.close();
  }
  process.exitCode = isWithin ? 0 : 1;
}

await main();
