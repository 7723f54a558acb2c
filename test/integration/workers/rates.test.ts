/** The rate of a caller holds over all workers, however many connections it comes on. */
import { describe, expect, it } from 'vitest';
import { startWorkerGateway, type WorkerConnection } from '../../support/workers/workers.js';

const BURST = 40;

async function isRefused({ ask }: WorkerConnection): Promise<boolean> {
  const { errors } = await ask('{ __typename }');
  return errors?.[0]?.extensions.code === 'RATE_LIMITED';
}

describe('the rate of a caller', () => {
  it('is used up in all workers by what it asks of one, and of the other only what is left is had', async () => {
    const gateway = await startWorkerGateway({
      environment: { RATE_PER_SECOND: '1', RATE_BURST: String(BURST) },
    });
    const [one, other] = [gateway.connect(), gateway.connect()];
    for (let asked = 0; asked < BURST; asked++) expect(await isRefused(one)).toBe(false);
    // Of its own the other has counted none: it would take as many again.
    let asked = 1;
    while (!(await isRefused(other))) asked++;
    expect(asked).toBeLessThan(BURST);
  });
});
