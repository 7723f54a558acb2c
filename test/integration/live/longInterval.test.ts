/** Last samples of a platform that is seldom polled: they are used from one poll to the next. */
import { expect, it, vi } from 'vitest';
import { required } from '../../support/gateway.js';
import { startLiveGateway, WAIT } from '../../support/http/live.js';

it('last samples cost no REST call until the next poll, even if polls are minutes apart', async () => {
  const gateway = await startLiveGateway({
    gateway: { pollsAlways: true, livePollMs: 300_000, liveMaxPollMs: 30_000 },
  });
  const sql = `SELECT stream_id AS id FROM scalar_sample WHERE sample_date > ?
    AND stream_id IN (SELECT id FROM stream WHERE account_id = ?) LIMIT 1`;
  const recentSince = gateway.clock.now() / 1000 - 1800;
  const { id } = required(gateway.sql<{ id: number }>(sql, recentSince, gateway.accountId)[0], 'stream');
  /** The calls of an operation whose response is not cached. */
  const callsAfter = async (ms: number) => {
    gateway.clock.advance(ms);
    gateway.sandbox.calls.reset();
    await gateway.ask(`{ stream(id: "${id}") { lastSample { value } } }`);
    return gateway.restCalls().filter(({ pathTemplate }) => pathTemplate.includes('/sample'));
  };
  // The poll reads the samples of the last hour at its start.
  await vi.waitFor(async () => expect(await callsAfter(11_000)).toEqual([]), WAIT);
  expect(await callsAfter(200_000)).toEqual([]);
});
