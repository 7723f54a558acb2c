/** Subscriptions, queries and mutations over SSE and multipart HTTP, as their clients use them. */
import { ApolloClient, gql, HttpLink, InMemoryCache } from '@apollo/client';
import { fetchExchange, Client as UrqlClient } from '@urql/core';
import { createClient } from 'graphql-sse';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  anyStream,
  LISTEN,
  LISTEN_BARE,
  startLiveGateway,
  untilListening,
  WAIT,
} from '../../support/http/live.js';

const gateway = await startLiveGateway();
const url = `${gateway.url}/graphql`;

afterEach(() => gateway.sandbox.calls.reset());

interface Received {
  ids: string[];
  errors: unknown[];
  isDone: boolean;
}

const toId = (data: unknown) => (data as { sampleReceived: { id: string } }).sampleReceived.id;

/** Records the results of one subscription. */
function createSink() {
  const seen: Received = { ids: [], errors: [], isDone: false };
  return {
    seen,
    next: ({ data, errors = [] }: { data?: unknown; errors?: readonly unknown[] | undefined }) => {
      if (data) seen.ids.push(toId(data));
      seen.errors.push(...errors);
    },
    error: (error: unknown) => void seen.errors.push(error),
    complete: () => {
      seen.isDone = true;
    },
  };
}

const untilReceived = ({ ids }: Received, expected: readonly string[]) =>
  vi.waitFor(() => expect(ids).toEqual(expected), WAIT);

describe.each([
  ['distinct connections mode', false],
  ['single connection mode', true],
])('graphql-sse in %s', (_, singleConnection) => {
  it('receives samples until it stops', async () => {
    const client = createClient({ url, singleConnection, retryAttempts: 0 });
    const sink = createSink();
    const stop = client.subscribe({ query: LISTEN_BARE, variables: { kinds: ['SCALAR'] } }, sink);
    await untilListening(gateway);
    await untilReceived(sink.seen, gateway.append(anyStream(gateway), [1, 2, 3]));
    stop();
    await vi.waitFor(() => expect(sink.seen.isDone).toBe(true), WAIT);
    expect(sink.seen.errors).toEqual([]);
    client.dispose();
  });

  it('gets the result of a query, and the errors of an invalid one', async () => {
    const client = createClient({ url, singleConnection, retryAttempts: 0 });
    const results: unknown[] = [];
    for await (const result of client.iterate({ query: '{ sites { totalCount } }' })) results.push(result);
    expect(results).toEqual([{ data: { sites: { totalCount: expect.any(Number) } } }]);
    client.dispose();
  });
});

describe('a subscription to', () => {
  it.each([
    ['a stream', { streams: ['Stream:1'] }, 'streamIds[0]'],
    ['a site', { sites: ['Site:1'] }, 'siteIds[0]'],
  ])('%s that does not exist is refused at once', async (_, variables, argument) => {
    const client = createClient({ url, retryAttempts: 0 });
    const { value: result } = await client.iterate({ query: LISTEN, variables }).next();
    const message = `${argument}: There is no object with this id.`;
    expect(result?.errors).toMatchObject([{ message, extensions: { code: 'BAD_USER_INPUT' } }]);
    client.dispose();
  });
});

describe('urql', () => {
  it('receives samples over SSE', async () => {
    const client = new UrqlClient({ url, exchanges: [fetchExchange], fetchSubscriptions: true });
    const seen: string[] = [];
    const { unsubscribe } = client
      .subscription(LISTEN_BARE, { kinds: ['SCALAR'] })
      .subscribe(({ data }) => data && seen.push(toId(data)));
    await untilListening(gateway);
    const ids = gateway.append(anyStream(gateway), [1, 2, 3]);
    await vi.waitFor(() => expect(seen).toEqual(ids), WAIT);
    unsubscribe();
  });
});

describe('Apollo Client', () => {
  it('receives samples over multipart HTTP', async () => {
    const client = new ApolloClient({ link: new HttpLink({ uri: url }), cache: new InMemoryCache() });
    const sink = createSink();
    const subscription = client
      .subscribe({ query: gql(LISTEN_BARE), variables: { kinds: ['SCALAR'] } })
      .subscribe(sink);
    await untilListening(gateway);
    await untilReceived(sink.seen, gateway.append(anyStream(gateway), [1, 2, 3]));
    subscription.unsubscribe();
    expect(sink.seen.errors).toEqual([]);
  });
});
