/** What a long list is certain to lead to is asked for side by side with it, and nothing else is. */
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type LiveGateway, startLiveGateway, WAIT } from '../support/live.js';

let gateway: LiveGateway;

beforeAll(async () => {
  gateway = await startLiveGateway();
});

/** Nothing that was cached before serves any more. */
beforeEach(() => {
  gateway.clock.advance(2 * 86_400_000);
  gateway.sandbox.faults.clear();
  gateway.sandbox.calls.reset();
});

const NESTED =
  '{ nodes { organization { name } devices { channels { streams { lastSample { value } } } } } }';
const below = [
  '/v2.0/account/organization',
  '/v2.0/device',
  '/v2.0/channel',
  '/v2.0/stream',
  '/v2.0/sample/batch',
];

describe('below a list of sites', () => {
  it('collections are asked for before the sites are there', async () => {
    gateway.sandbox.faults.add({ match: '/v2.0/site', latencyMs: 2000 });
    const answer = gateway.ask(`{ sites ${NESTED} }`);
    await vi.waitFor(
      () => expect(below.map((path) => gateway.sandbox.calls.of(path))).toEqual([1, 1, 1, 1, 1]),
      WAIT,
    );
    await answer;
    expect(below.map((path) => gateway.sandbox.calls.of(path))).toEqual([1, 1, 1, 1, 1]);
  });

  it.each(['(first: 2)', '(filter: { nameContains: "x" })'])(
    'that is short or narrowed %s, they are not',
    async (list) => {
      gateway.sandbox.faults.add({ match: '/v2.0/site', latencyMs: 500 });
      const answer = gateway.ask(`{ sites${list} ${NESTED} }`);
      await vi.waitFor(() => expect(gateway.sandbox.calls.of('/v2.0/site')).toBe(1), WAIT);
      expect(below.map((path) => gateway.sandbox.calls.of(path))).toEqual([0, 0, 0, 0, 0]);
      await answer;
    },
  );

  it('what may be left out is not counted on', async () => {
    gateway.sandbox.faults.add({ match: '/v2.0/site', latencyMs: 500 });
    const answer = gateway.ask(
      'query ($with: Boolean!) { sites { nodes { devices @include(if: $with) { name } } } }',
      {
        with: false,
      },
    );
    await answer;
    expect(gateway.sandbox.calls.of('/v2.0/device')).toBe(0);
  });
});
