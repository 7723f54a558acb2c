/** Reading the past of a subscription: page by page as it is taken, within the limits of the caller and the operation. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { CallerLimits } from '../../src/callerLimits.js';
import {
  anyStream,
  LISTEN_BARE,
  type LiveGateway,
  listen,
  received,
  SCALARS,
  startLiveGateway,
  WAIT,
} from '../support/live.js';
import { openGreeted, type RawSocket } from '../support/socket.js';

const PAGE = 10_000;

let gateway: LiveGateway;

afterEach(() => gateway.stop());

async function start(callerLimits: Partial<CallerLimits> = {}) {
  gateway = await startLiveGateway({ sandbox: { siteCount: 2 }, gateway: { callerLimits } });
  const lastId = gateway.newestId();
  const append = (count: number) =>
    gateway.append(
      anyStream(gateway),
      Array.from({ length: count }, (_, index) => index),
    );
  return { after: `ScalarSample:${lastId}`, append, lastId };
}

/** Calls that read pages of the past: polls go on from its end. */
function pagesRead(lastId: number, endId: number): number {
  const isOfPast = ({
    pathTemplate,
    query,
  }: {
    pathTemplate: string;
    query: Readonly<Record<string, string>>;
  }) => {
    const id = Number(query['sampleID'] ?? query['sampleId']);
    return pathTemplate === SCALARS && id >= lastId && id < endId;
  };
  return gateway.sandbox.calls.list().filter(isOfPast).length;
}

const idsOf = ({ messages }: RawSocket) =>
  messages
    .filter(({ type }) => type === 'next')
    .map(({ payload }) => (payload as { data: { sampleReceived: { id: string } } }).data.sampleReceived.id);

/** Long names make long messages, so that few of them fill a connection. */
const wide = (after: string) =>
  `subscription { sampleReceived(kinds: [SCALAR], after: "${after}") { id ${Array.from(
    { length: 12 },
    (_, index) => `${'a'.repeat(500)}${index}: sampledAt`,
  ).join(' ')} } }`;

describe('the past of a subscription', () => {
  it('is read on as it is taken, and loses and repeats nothing that arrives meanwhile', async () => {
    const { after, append, lastId } = await start();
    const ids = append(3 * PAGE + 500);
    const raw = await openGreeted(gateway.url);
    raw.socket.pause();
    raw.send({ type: 'subscribe', id: '1', payload: { query: wide(after) } });
    await vi.waitFor(() => expect(pagesRead(lastId, lastId + ids.length)).toBe(1), WAIT);
    const end = lastId + ids.length;
    ids.push(...append(700));
    // Many polls, and the connection is long full.
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(pagesRead(lastId, end)).toBe(1);
    raw.socket.resume();
    await vi.waitFor(() => expect(idsOf(raw).length).toBeGreaterThan(PAGE), { timeout: 30_000 });
    ids.push(...append(300));
    await vi.waitFor(() => expect(idsOf(raw).length).toBeGreaterThanOrEqual(ids.length), {
      timeout: 30_000,
    });
    expect(idsOf(raw)).toEqual(ids);
    raw.socket.terminate();
  }, 60_000);

  it('of many subscriptions that nobody reads holds the memory and the calls of a few', async () => {
    const { after, append, lastId } = await start({ maxCallerBytes: 16 * 1024 * 1024 });
    append(3 * PAGE);
    const raw = await openGreeted(gateway.url);
    raw.socket.pause();
    const query = wide(after);
    for (let id = 0; id < 100; id++) raw.send({ type: 'subscribe', id: `${id}`, payload: { query } });
    const end = lastId + 3 * PAGE;
    await vi.waitFor(() => expect(pagesRead(lastId, end)).toBeGreaterThan(0), WAIT);
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect(pagesRead(lastId, end)).toBeLessThanOrEqual(8);
    raw.socket.terminate();
  }, 30_000);

  it('counts its calls as the operation’s, and says how to go on when they are used up', async () => {
    const { after, append } = await start({ mostRestCalls: 2 });
    const ids = append(3 * PAGE);
    const first = listen(gateway.url, { kinds: ['SCALAR'], after }, LISTEN_BARE);
    await first.ended;
    expect(first.ids()).toEqual(ids.slice(0, 2 * PAGE));
    expect(first.errors).toMatchObject([
      {
        message: expect.stringContaining('`after`'),
        extensions: { code: 'TOO_MANY_REST_CALLS', retryable: true },
      },
    ]);
    const second = listen(gateway.url, { kinds: ['SCALAR'], after: first.ids().at(-1) }, LISTEN_BARE);
    await received(second, PAGE);
    expect(second.ids()).toEqual(ids.slice(2 * PAGE));
    await second.leave();
  }, 30_000);

  it('that the platform refuses ends the subscription with the reason', async () => {
    const { after } = await start();
    const isPast = ({ pathTemplate }: { pathTemplate: string }) => pathTemplate === SCALARS;
    let calls = 0;
    // The search for the end of the queue takes some calls before.
    gateway.sandbox.faults.add({ match: (call) => isPast(call) && ++calls > 2, status: 409 });
    const listener = listen(gateway.url, { kinds: ['SCALAR'], after }, LISTEN_BARE);
    await listener.ended;
    expect(listener.errors).toMatchObject([{ extensions: { code: 'PLATFORM_REFUSED' } }]);
  });
});
