/** The rate of a caller holds over all replicas with one Redis. */
import { expect, it } from 'vitest';
import { isRedisAvailable } from '../../support/cache/redisServer.js';
import { queryGateway } from '../../support/gateway.js';
import { type Replica, startGateways } from '../../support/workers/replicas.js';

const BURST = 40;

async function isRefused({ url }: Replica): Promise<boolean> {
  const { body } = await queryGateway(url, '{ __typename }');
  return body.errors?.[0]?.extensions.code === 'RATE_LIMITED';
}

it.skipIf(!isRedisAvailable)(
  'a caller that uses its rate up at one replica has little left at the other',
  async () => {
    const { replicas } = await startGateways(2, { RATE_PER_SECOND: '1', RATE_BURST: String(BURST) });
    const [one, other] = replicas as [Replica, Replica];
    for (let operation = 0; operation < BURST; operation++) expect(await isRefused(one)).toBe(false);
    let operations = 1;
    while (!(await isRefused(other))) operations++;
    expect(operations).toBeLessThan(BURST);
  },
);
