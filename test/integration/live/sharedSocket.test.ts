/** A subscription beside queries on one websocket. */
import { expect, it, vi } from 'vitest';
import {
  anyStream,
  LISTEN_BARE,
  received,
  shareGateway,
  startLiveGateway,
  untilListening,
  WAIT,
} from '../../support/http/live.js';
import { openInitialized, type RawSocket } from '../../support/http/socket.js';

const gateway = await startLiveGateway();
const begin = shareGateway(gateway);

/** Samples that arrive while the result of the query is unread. */
const ROUNDS = 20;

/** 12 MB: more than the system takes for a client that does not read. */
const LARGE = {
  query: `query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Stream { ${Array.from(
    { length: 14 },
    (_, index) => `${'a'.repeat(1500)}${index}: name`,
  ).join(' ')} } } }`,
  variables: { ids: Array.from({ length: 600 }, () => `Stream:${anyStream(gateway)}`) },
};

const idsOf = ({ messages }: RawSocket) =>
  messages
    .filter(({ type, id }) => type === 'next' && id === 'samples')
    .map(({ payload }) => (payload as { data: { sampleReceived: { id: string } } }).data.sampleReceived.id);

it.each([false, true])(
  'receives every sample, also those that arrive while the result of a query is unread (resumed: %s)',
  async (isResumed) => {
    const streamId = anyStream(gateway);
    const after = isResumed ? `ScalarSample:${gateway.newestId()}` : undefined;
    const ids = isResumed ? gateway.append(streamId, [0]) : [];
    const other = begin({ kinds: ['SCALAR'] }, LISTEN_BARE);
    const raw = await openInitialized(gateway.url);
    const variables = { kinds: ['SCALAR'], after };
    raw.send({ type: 'subscribe', id: 'samples', payload: { query: LISTEN_BARE, variables } });
    await untilListening(gateway);
    // Only a received sample shows that both subscriptions have started.
    await vi.waitFor(() => {
      ids.push(...gateway.append(streamId, [1]));
      expect(other.ids()).not.toEqual([]);
      expect(idsOf(raw)).not.toEqual([]);
    }, WAIT);
    await vi.waitFor(() => expect(idsOf(raw).at(-1)).toBe(ids.at(-1)), WAIT);
    const known = isResumed ? 0 : ids.indexOf(idsOf(raw)[0] ?? '');
    raw.socket.pause();
    raw.send({ type: 'subscribe', id: 'query', payload: LARGE });
    for (let round = 0; round < ROUNDS; round++) {
      const before = other.ids().length;
      ids.push(...gateway.append(streamId, [2]));
      await received(other, before + 1);
    }
    raw.socket.resume();
    const hasResult = () => raw.messages.some(({ id, type }) => id === 'query' && type === 'complete');
    await vi.waitFor(() => expect(hasResult()).toBe(true), WAIT);
    ids.push(...gateway.append(streamId, [3]));
    await vi.waitFor(() => expect(idsOf(raw).at(-1)).toBe(ids.at(-1)), WAIT);
    ids.push(...gateway.append(streamId, [4]));
    await vi.waitFor(() => expect(idsOf(raw)).toEqual(ids.slice(known)), WAIT);
    raw.socket.terminate();
  },
);
