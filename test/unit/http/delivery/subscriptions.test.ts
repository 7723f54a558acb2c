/** Which subscriptions share their executions, and what their transports receive. */
import { randomUUID } from 'node:crypto';
import { makeExecutableSchema } from '@graphql-tools/schema';
import { describe, expect, it, vi } from 'vitest';
import type { CallerSession } from '../../../../src/http/auth/callerSession.js';
import type { TransportEnd, TransportSink } from '../../../../src/http/delivery/transportSubscription.js';
import { unlimitedBytes } from '../../../../src/lib/byteBudget.js';
import { createCancellation } from '../../../../src/lib/cancellation.js';
import type { PayloadBatch } from '../../../../src/live/payloads.js';
import type { OperationTrace } from '../../../../src/tracing/operationTrace.js';
import { createOpenEdge } from '../../../support/http/openEdge.js';
import { createSilentFeed, EventQueue, toLiveEvents } from '../../../support/live/liveEvents.js';
import { WAIT } from '../../../support/waiting.js';

type Result = { data: { count: { id: number; name: string } } | null; errors?: { message: string }[] };

/** A source of numbers for all subscriptions. Counts the executions of its field. */
function createEdge() {
  const queues = new Set<EventQueue<number>>();
  const executions: string[] = [];
  /** Those of all contexts. */
  const traces: unknown[] = [];
  const cancellations: unknown[] = [];
  /** The streams at each site. */
  const atSite = [1];
  const openQueue = () => {
    const queue = new EventQueue<number>(() => queues.delete(queue));
    queues.add(queue);
    return queue;
  };
  const schema = makeExecutableSchema({
    typeDefs: `type Query { ok: Boolean }
      type Count { id: Int! name(prefix: String): String! }
      type Subscription { count(after: String): Count! ofSite(siteIds: [Int]): Count! broken: Int }`,
    resolvers: {
      Count: { name: ({ id }: { id: number }, { prefix }: { prefix?: string }) => `${prefix}${id}` },
      Subscription: {
        count: {
          subscribe: () => toLiveEvents(openQueue()),
          resolve(id: number, _: unknown, { who }: { who: string }) {
            executions.push(who);
            return { id };
          },
        },
        ofSite: {
          subscribe: () => ({ ...toLiveEvents(openQueue()), streamIds: new Set(atSite) }),
          resolve: (id: number) => ({ id }),
        },
        broken: { subscribe: () => Promise.reject(new Error('secret')) },
      },
    },
  });
  const edge = createOpenEdge(schema);
  const feed = createSilentFeed();
  const toSession = (who: string): CallerSession => ({
    caller: { name: who, scopes: new Set(['read']), organizationIds: undefined },
    authorizationKey: who,
    feed,
    cacheVersion: () => 0,
    numbersVersion: () => 0,
    checkCredential: async () => undefined,
    createContext({ requestId, trace, cancellation }) {
      traces.push(trace);
      cancellations.push(cancellation);
      return { requestId, who } as unknown as ReturnType<CallerSession['createContext']>;
    },
    release() {},
  });
  async function open(
    query: string,
    {
      who = 'one',
      variables = {} as Record<string, unknown>,
      trace = undefined as OperationTrace | undefined,
    } = {},
  ) {
    const session = toSession(who);
    const origin = { session, beginSubscription() {} };
    const prepared = edge.operations.admit({ query, variables }, origin, randomUUID(), trace);
    const sink = createSink();
    const opened = edge.subscriptions.open(
      prepared,
      { transport: 'sse', session, budget: unlimitedBytes },
      sink,
    );
    return { ...sink, opened };
  }
  return {
    open,
    executions,
    traces,
    cancellations,
    queues,
    atSite,
    edge,
    push(...ids: number[]) {
      for (const queue of queues) queue.push(ids);
    },
  };
}

function createSink() {
  const results: Result[] = [];
  const ends: TransportEnd[] = [];
  const batches = new Set<PayloadBatch>();
  const sink: TransportSink = {
    cancellation: createCancellation(),
    isFree: () => true,
    next(batch) {
      batches.add(batch);
      results.push(...batch.payloads.map(({ text }) => JSON.parse(text) as Result));
    },
    heartbeat() {},
    end: (end) => void ends.push(end),
  };
  return { ...sink, results, ends, batches, ids: () => results.map(({ data }) => data?.count.id) };
}

const QUERY =
  'subscription ($prefix: String, $after: String) { count(after: $after) { id name(prefix: $prefix) } }';

describe('subscriptions', () => {
  it('that are equal execute each event once, and receive the same batches', async () => {
    const { open, push, executions, queues } = createEdge();
    const all = await Promise.all([1, 2, 3].map(() => open(QUERY, { variables: { prefix: 'a' } })));
    await vi.waitFor(() => expect(queues.size).toBe(1), WAIT);
    push(1, 2);
    push(3);
    for (const one of all) await vi.waitFor(() => expect(one.ids()).toEqual([1, 2, 3]), WAIT);
    expect(executions).toHaveLength(3);
    expect(new Set(all.flatMap(({ batches }) => [...batches])).size).toBe(all[0]?.batches.size);
    for (const { opened } of all) opened.close();
    await vi.waitFor(() => expect(queues.size).toBe(0), WAIT);
  });

  it.each([
    ['the authorization', { who: 'other', variables: { prefix: 'a' } }, QUERY],
    ['a variable', { variables: { prefix: 'b' } }, QUERY],
    ['the document', { variables: { prefix: 'a' } }, `${QUERY} # other`],
  ])('that differ in %s share nothing', async (_, options, query) => {
    const { open, push, executions, queues } = createEdge();
    const [one, other] = [await open(QUERY, { variables: { prefix: 'a' } }), await open(query, options)];
    await vi.waitFor(() => expect(queues.size).toBe(2), WAIT);
    push(1);
    await vi.waitFor(() => expect([one.ids(), other.ids()]).toEqual([[1], [1]]), WAIT);
    expect(executions).toHaveLength(2);
    expect([...one.batches][0]).not.toBe([...other.batches][0]);
    one.opened.close();
    other.opened.close();
  });

  it('of the same sites share nothing when a site has more streams by now', async () => {
    const { open, push, atSite } = createEdge();
    const first = await open('subscription { ofSite(siteIds: [1]) { id } }');
    const second = await open('subscription { ofSite(siteIds: [1]) { id } }');
    atSite.push(2);
    const third = await open('subscription { ofSite(siteIds: [1]) { id } }');
    const all = [first, second, third];
    await new Promise((resolve) => setImmediate(resolve));
    push(7);
    for (const { results } of all) await vi.waitFor(() => expect(results).toHaveLength(1), WAIT);
    const [one, other, last] = all.map(({ batches }) => [...batches][0]);
    expect(other).toBe(one);
    expect(last).not.toBe(one);
    for (const { opened } of all) opened.close();
  });

  it('that differ only in the variable name of an empty cursor share their executions', async () => {
    const { open, push, executions, queues } = createEdge();
    const variables = [{ after: null }, {}];
    const all = await Promise.all(variables.map((each) => open(QUERY, { variables: each })));
    await vi.waitFor(() => expect(queues.size).toBe(1), WAIT);
    await new Promise((resolve) => setImmediate(resolve));
    push(1);
    for (const one of all) await vi.waitFor(() => expect(one.ids()).toEqual([1]), WAIT);
    expect(executions).toHaveLength(1);
    for (const { opened } of all) opened.close();
  });

  it('are traced until they are open, but their group is not', async () => {
    const { open, push, traces } = createEdge();
    const ended = vi.fn();
    const trace = { beginPhase() {}, describe() {}, fail() {}, end: ended } as unknown as OperationTrace;
    const { opened, results } = await open('subscription { ofSite(siteIds: [1]) { id } }', { trace });
    await vi.waitFor(() => expect(ended).toHaveBeenCalledOnce(), WAIT);
    await new Promise((resolve) => setImmediate(resolve));
    push(1);
    await vi.waitFor(() => expect(results).toHaveLength(1), WAIT);
    // The events of the subscription, the events of the group, and the execution of an event.
    expect(traces).toEqual([trace, undefined, undefined]);
    opened.close();
  });

  it('that resume read the past until their operation is cancelled', async () => {
    const { open, queues, cancellations } = createEdge();
    const { opened, cancellation } = await open(QUERY, { variables: { after: 'Count:1' } });
    // The past events of the subscription, and the events of the group.
    await vi.waitFor(() => expect(queues.size).toBe(2), WAIT);
    expect(cancellations).toHaveLength(2);
    expect(cancellations[0]).toBe(cancellation);
    expect(cancellations[1]).toBeUndefined();
    opened.close();
  });

  it('that cannot start end with a masked error', async () => {
    const { open } = createEdge();
    const { ends } = await open('subscription { broken }');
    await vi.waitFor(() => expect(ends).toHaveLength(1), WAIT);
    expect(JSON.parse(ends[0]?.text ?? '')).toMatchObject({
      errors: [{ extensions: { code: 'INTERNAL_SERVER_ERROR' } }],
    });
    expect(ends[0]?.text).not.toContain('secret');
  });

  it('are counted while they are open', async () => {
    const { open, edge } = createEdge();
    const { opened } = await open(QUERY);
    const openStreams = () => new Map(edge.subscriptions.metrics.counts().open).get('sse');
    await vi.waitFor(() => expect(openStreams()).toBe(1), WAIT);
    opened.close();
    expect(openStreams()).toBe(0);
  });
});
