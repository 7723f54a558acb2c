/** The rate limit of a caller applies over all workers, for any number of connections. */
import { describe, expect, it } from 'vitest';
import { startWorkerGateway, type WorkerConnection } from '../../support/workers/workers.js';

/** Takes far longer than workers take to report their counts, which they do every 100 ms. */
const BURST = 400;

async function isRefused({ ask }: WorkerConnection): Promise<boolean> {
  const { errors } = await ask('{ __typename }');
  return errors?.[0]?.extensions.code === 'RATE_LIMITED';
}

describe('the rate limit of a caller', () => {
  it('is shared by all workers: requests to one reduce the rest at the other', async () => {
    const gateway = await startWorkerGateway({
      environment: { RATE_PER_SECOND: '1', RATE_BURST: String(BURST) },
    });
    const [one, other] = [gateway.connect(), gateway.connect()];
    for (let count = 0; count < BURST; count++) expect(await isRefused(one)).toBe(false);
    // The other worker has counted no request itself; without sharing it would accept a full burst.
    let count = 1;
    while (!(await isRefused(other))) count++;
    expect(count).toBeLessThan(BURST);
  });
});
