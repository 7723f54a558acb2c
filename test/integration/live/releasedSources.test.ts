/**
 * Subscriptions that wait for samples store nothing that they have loaded: a caller can open hundreds of them, and each
 * would store the streams that it may see, or another version of the lists of the account.
 */
import { queryObjects } from 'node:v8';
import { describe, expect, it, vi } from 'vitest';
import { OperationSources } from '../../../src/sources/sources.js';
import { required } from '../../support/gateway.js';
import { createKeysFile } from '../../support/http/callers.js';
import { anyStream, listen, startLiveGateway, WAIT } from '../../support/http/live.js';
import { MULTIPART, openStream, SSE } from '../../support/http/streams.js';

const keys = await createKeysFile();
const restricted = await keys.add({ name: 'restricted', organizations: [310] });
const unrestricted = await keys.add({ name: 'unrestricted' });
const gateway = await startLiveGateway({
  gateway: { callerAuth: { kind: 'api-key', file: keys.file } },
});
const streamId = anyStream(gateway);
const siteOf = (id: number) =>
  required(gateway.sql<{ id: number }>('SELECT site_id AS id FROM stream WHERE id = ?', id)[0]).id;

const CHANGES = (index: number) => `subscription { thresholdStatusChanged { s${index}: __typename } }`;
const SAMPLES = (index: number, sites: string) =>
  `subscription { sampleReceived(kinds: [SCALAR]${sites}) { s${index}: stream { id } } }`;

interface Receiver {
  count(): number;
  close(): unknown;
}

const overWebsocket = async (query: string, key: string): Promise<Receiver> => {
  const listener = listen(gateway.url, {}, query, { Authorization: `Bearer ${key}` });
  return { count: () => listener.samples.length, close: listener.leave };
};
const overStream =
  (headers: Record<string, string>) =>
  async (query: string, key: string): Promise<Receiver> => {
    const stream = await openStream(gateway.url, {
      query,
      headers: { ...headers, Authorization: `Bearer ${key}` },
    });
    return { count: () => stream.text().split('"Stream:').length - 1, close: stream.close };
  };

/**
 * Counting collects garbage, which takes seconds on a busy machine. With a short interval between counts, or between
 * samples, the gateway could not do its work.
 */
const SELDOM = { timeout: 4 * WAIT.timeout, interval: 500 };

const transports = [
  ['a websocket', overWebsocket],
  ['SSE', overStream(SSE)],
  ['multipart HTTP', overStream(MULTIPART)],
] as const;

describe.each(transports)('subscriptions over %s', (_, open) => {
  it.each([
    ['restricted', restricted],
    ['unrestricted', unrestricted],
  ])('of a caller that is %s release their sources between samples', async (_, key) => {
    const sites = `, siteIds: ["Site:${siteOf(streamId)}"]`;
    const queries = [0, 1, 2].flatMap((index) => [SAMPLES(index, ''), SAMPLES(index + 3, sites)]);
    const receivers = await Promise.all(queries.map((query) => open(query, key)));
    const changes = await Promise.all([0, 1, 2].map((index) => open(CHANGES(index), key)));
    await vi.waitFor(() => {
      gateway.append(streamId, [1]);
      for (const receiver of receivers) expect(receiver.count()).toBeGreaterThan(0);
    }, SELDOM);
    await vi.waitFor(() => expect(queryObjects(OperationSources, { format: 'count' })).toBe(0), SELDOM);
    await Promise.all([...receivers, ...changes].map(({ close }) => close()));
  });
});

it('a subscription sends no samples of a site after it has moved to another organization', async () => {
  const listener = listen(gateway.url, {}, SAMPLES(0, '').replace('s0: stream { id }', 'id'), {
    Authorization: `Bearer ${restricted}`,
  });
  const other = required(
    gateway.sql<{ id: number }>(
      `SELECT t.id FROM stream t JOIN site s ON s.id = t.site_id
        WHERE t.account_id = ? AND account_organization_id = 310 AND s.id <> ? ORDER BY 1`,
      gateway.accountId,
      siteOf(streamId),
    )[0],
  ).id;
  await vi.waitFor(() => {
    gateway.append(streamId, [1]);
    expect(listener.ids().at(-1)).toMatch(`ScalarSample:${streamId}:`);
  }, WAIT);
  gateway.run('UPDATE site SET account_organization_id = 311 WHERE id = ?', siteOf(streamId));
  // The cached list of sites expires.
  gateway.clock.advance(2 * 3_600_000);
  const [hidden] = gateway.append(streamId, [2]);
  const [visible] = gateway.append(other, [3]);
  await vi.waitFor(() => expect(listener.ids().at(-1)).toBe(visible), WAIT);
  expect(listener.ids()).not.toContain(hidden);
});
