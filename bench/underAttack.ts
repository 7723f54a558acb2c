/**
 * Measures what a normal caller notices of an attack: the time of its answers while all is quiet and while attackers
 * send what has to be refused, turn by turn; and the REST calls that the attack alone costs.
 */
import { parseArgs } from 'node:util';
import type { AttackReport } from './attack/attacker.js';
import { type Attackers, createAttackers, createSocketAttackers } from './attack/attackers.js';
import { askSteadily, type NormalCaller } from './attack/normalCaller.js';
import { typical } from './attack/percentiles.js';
import { probeByTime } from './attack/probeByTime.js';
import { openToAll, type SetUp, withApiKeys, withTokens } from './attack/setUps.js';
import { socketForms } from './attack/socketForms.js';
import { describeTurns, takeSocketTurns } from './attack/socketTurns.js';
import { type CountingProxy, startCountingProxy } from './countingProxy.js';
import { processorMs } from './processorTime.js';
import { type RunningProduct, startProduct } from './product.js';

const { values: given } = parseArgs({
  options: {
    /** Of each phase: 20 s are 1,000 answers. */
    seconds: { type: 'string', default: '20' },
    /** A quiet phase and one of attack each. */
    rounds: { type: 'string', default: '3' },
    /** Requests of the attack a second; 0: as fast as its connections go. */
    rates: { type: 'string', default: '1000,0' },
    connections: { type: 'string', default: '16' },
    /** A part of the names of the set-ups to be run; `websocket` for the part with websockets. */
    only: { type: 'string', default: '' },
  },
});
const PHASE_MS = Number(given.seconds) * 1000;
const ROUNDS = Number(given.rounds);
const CONNECTIONS = Number(given.connections);
const NORMAL_PER_SECOND = 50;
const MOST_RATIO = 2;
/** Another address than the normal caller's. */
const ATTACKER = '127.0.0.66';

const NORMAL = `{ sites(first: 10) { nodes { name status organization { name }
  devices { serialNumber channels { name type { name } } } streams { name units lastSample { value sampledAt } } } } }`;

interface Outcome {
  /** The times of each phase, in milliseconds. */
  quiet: number[][];
  attacked: number[][];
  reports: AttackReport[];
  /** What the gateway's process took of a processor, in milliseconds. */
  quietMs: number;
  attackedMs: number;
}

/** Quiet and attacked, turn by turn, so that what else the machine does falls on both. */
async function takeTurns(
  caller: NormalCaller,
  attackers: Attackers,
  { forms }: SetUp,
  perSecond: number,
  pid: number,
): Promise<Outcome> {
  const outcome: Outcome = { quiet: [], attacked: [], reports: [], quietMs: 0, attackedMs: 0 };
  for (let round = 0; round < ROUNDS; round++) {
    const beganMs = processorMs(pid);
    outcome.quiet.push(await askSteadily(caller, PHASE_MS));
    const attackedMs = processorMs(pid);
    attackers.start(caller.url, { forms, from: ATTACKER, connections: CONNECTIONS, perSecond });
    outcome.attacked.push(await askSteadily(caller, PHASE_MS));
    outcome.reports.push(await attackers.end());
    outcome.quietMs += attackedMs - beganMs;
    outcome.attackedMs += processorMs(pid) - attackedMs;
  }
  return outcome;
}

/** The REST calls of a second in which nobody but the attacker asks. */
async function countCalls(
  gateway: RunningProduct,
  attackers: Attackers,
  { forms }: SetUp,
  proxy: CountingProxy,
) {
  proxy.take();
  attackers.start(gateway.url, { forms, from: ATTACKER, connections: CONNECTIONS, perSecond: 0 });
  await new Promise((resolve) => setTimeout(resolve, 1000));
  return { report: await attackers.end(), calls: proxy.take() };
}

async function measure(setUp: SetUp, restUrl: string, attackers: Attackers): Promise<boolean> {
  const proxy = await startCountingProxy(restUrl);
  const platform = { PLATFORM_URL: proxy.url, PLATFORM_KEY: 'sandbox', PLATFORM_SECRET: 'sandbox' };
  const gateway = await startProduct([], { PORT: '0', ...platform, ...setUp.environment });
  const caller = { url: gateway.url, headers: setUp.headers, query: NORMAL, perSecond: NORMAL_PER_SECOND };
  try {
    await askSteadily(caller, PHASE_MS);
    const { calls, report } = await countCalls(gateway, attackers, setUp, proxy);
    print(`${setUp.name}: ${calls.length} REST calls for ${report.sent} requests of the attack`);
    let isWithin = calls.length === 0;
    for (const rate of given.rates.split(',').map(Number)) {
      isWithin = tell(rate, await takeTurns(caller, attackers, setUp, rate, gateway.pid)) && isWithin;
    }
    return isWithin;
  } finally {
    gateway.stop();
    proxy.close();
  }
}

/** In a gateway without a rate, or else most refusals would be by it. */
async function tellProbes({ name, environment, probes }: SetUp, restUrl: string): Promise<void> {
  if (!probes) return;
  const platform = { PLATFORM_URL: restUrl, PLATFORM_KEY: 'sandbox', PLATFORM_SECRET: 'sandbox' };
  const gateway = await startProduct([], { PORT: '0', ...platform, ...environment, RATE_PER_SECOND: '0' });
  try {
    const medians = Object.entries(await probeByTime(gateway.url, probes));
    const words = medians.map(([probe, us]) => `${probe} ${us.toFixed(0)} us`);
    print(`${name}: the median time of a refusal: ${words.join(', ')}`);
  } finally {
    gateway.stop();
  }
}

/** Prints a line; answers whether the caller was left alone, and every form was refused as it has to be. */
function tell(rate: number, { quiet, attacked, reports, quietMs, attackedMs }: Outcome): boolean {
  const ratio = typical(attacked, 99) / typical(quiet, 99);
  const sent = reports.reduce((sum, { sent }) => sum + sent, 0);
  const times = [quiet, attacked].flatMap((all) => [50, 99].map((part) => typical(all, part).toFixed(1)));
  const name = rate === 0 ? 'as fast as it goes' : `${rate} a second`;
  const rest = [...times, ratio.toFixed(2), Math.round((sent / ROUNDS / PHASE_MS) * 1000)];
  const loads = [quietMs, attackedMs].map((ms) => `${Math.round((ms / ROUNDS / PHASE_MS) * 100)}%`);
  print(`  ${name.padEnd(20)}${[...rest, ...loads].map((value) => String(value).padStart(9)).join('')}`);
  print(`    ${describe(reports)}`);
  const wrong = Object.assign({}, ...reports.map((report) => report.wrong)) as Record<string, string>;
  for (const [form, code] of Object.entries(wrong)) print(`    ${form} was answered ${code}`);
  return ratio <= MOST_RATIO && Object.keys(wrong).length === 0;
}

/** How often each code was the answer. */
function describe(reports: readonly AttackReport[]): string {
  const counts = new Map<string, number>();
  for (const { codes } of reports) {
    for (const [code, count] of Object.entries(codes)) counts.set(code, (counts.get(code) ?? 0) + count);
  }
  const sorted = [...counts].sort(([, one], [, other]) => other - one);
  return sorted.map(([code, count]) => `${count} ${code}`).join(', ');
}

/** Every way to attack by websockets, before a gateway that is open to all. */
async function measureSockets(restUrl: string): Promise<boolean> {
  const platform = { PLATFORM_URL: restUrl, PLATFORM_KEY: 'sandbox', PLATFORM_SECRET: 'sandbox' };
  const attackers = createSocketAttackers();
  let isWithin = true;
  print(
    `websocket${' '.repeat(25)}quiet p50      p99  attacked p50  p99    ratio quiet MB attacked sent MB    opened`,
  );
  try {
    for (const form of socketForms) {
      const gateway = await startProduct([], { PORT: '0', ...platform });
      const caller = { url: gateway.url, headers: {}, query: NORMAL, perSecond: NORMAL_PER_SECOND };
      const turns = { caller, pid: gateway.pid, rounds: ROUNDS, phaseMs: PHASE_MS };
      try {
        await askSteadily(caller, PHASE_MS);
        const outcome = await takeSocketTurns(form, attackers, {
          ...turns,
          connections: CONNECTIONS,
          from: ATTACKER,
        });
        const told = describeTurns(form, outcome, MOST_RATIO);
        print(told.line);
        isWithin = told.isWithin && isWithin;
      } finally {
        gateway.stop();
      }
    }
  } finally {
    attackers.close();
  }
  return isWithin;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function main(): Promise<void> {
  const sandbox = await startProduct(['sandbox'], { SANDBOX_PORT: '0', SANDBOX_SITES: '40' });
  const attackers = createAttackers();
  const setUps = [openToAll(), withApiKeys(true), withApiKeys(false), await withTokens()];
  let isWithin = true;
  try {
    print(`${''.padEnd(22)}quiet p50      p99  attacked p50  p99    ratio  a second  busy  attacked`);
    for (const setUp of setUps.filter(({ name }) => name.includes(given.only))) {
      isWithin = (await measure(setUp, sandbox.url, attackers)) && isWithin;
      await tellProbes(setUp, sandbox.url);
    }
    if ('websocket'.includes(given.only)) isWithin = (await measureSockets(sandbox.url)) && isWithin;
  } finally {
    attackers.close();
    sandbox.stop();
    for (const setUp of setUps) setUp.close();
  }
  process.exitCode = isWithin ? 0 : 1;
}

await main();
