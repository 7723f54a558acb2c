/** Processes of two gateways are killed and stopped at random: each listener receives every sample exactly once. */
import { afterAll, describe, expect, it } from 'vitest';
import { type ChaosGateway, runChaos } from '../../../bench/chaos/chaos.js';
import { start, urlIn } from '../../cli/startedProcess.js';
import { isRedisAvailable } from '../../support/cache/redisServer.js';
import { createRandom } from '../../support/random.js';
import { startGateways } from '../../support/workers/replicas.js';

const STRIKES = 4;
const LISTENERS = 12;

let isStopping = false;

afterAll(() => {
  isStopping = true;
});

/** A gateway that is started again whenever it ends. */
function keepRunning(environment: Record<string, string>): ChaosGateway & { begin(): Promise<void> } {
  let url: string | undefined;
  let pid: number | undefined;
  async function begin(): Promise<void> {
    const gateway = start([], environment);
    pid = gateway.pid;
    void gateway.ended.then(() => {
      url = undefined;
      pid = undefined;
      if (!isStopping) begin().catch(() => undefined);
    });
    url = urlIn(await gateway.startupOutput());
  }
  return { url: () => url, pid: () => pid, begin };
}

describe.skipIf(!isRedisAvailable)('listeners of two gateways (needs redis-server)', () => {
  it('receive every sample exactly once, while polling and serving processes are killed and stopped', async () => {
    const { sandbox, redis, newestId, append } = await startGateways(0);
    const [{ key, secret }] = sandbox.credentials;
    const environment = {
      ...{ PLATFORM_URL: sandbox.url, PLATFORM_KEY: key, PLATFORM_SECRET: secret },
      ...{ REDIS_URL: redis.url, WORKERS: '2', LIVE_POLL_SECONDS: '1' },
    };
    const gateways = [keepRunning(environment), keepRunning(environment)];
    await Promise.all(gateways.map(({ begin }) => begin()));
    const random = createRandom(14);
    const result = await runChaos({
      gateways,
      listenerCount: LISTENERS,
      strikes: STRIKES,
      strikeMs: 400,
      append() {
        append(1);
        return newestId();
      },
      startId: newestId(),
      random: random.next,
      settleMs: 60_000,
    });
    isStopping = true;
    expect(result).toMatchObject({ lost: 0, doubled: 0, late: 0 });
    expect(result.samples).toBeGreaterThan(STRIKES);
    expect(result.kills + result.stops).toBe(STRIKES);
  });
});
