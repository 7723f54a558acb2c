/** Images, RFID reads and samples since a date: all pages together cost one call, and closed periods stay cached. */
import { beforeAll, describe, expect, it } from 'vitest';
import {
  fullestStream,
  required,
  STILL_NOW_MS,
  startStillGateway,
  type TestGateway,
  toText,
} from '../../support/gateway.js';
import { addSamples, evenly, makeStreams } from '../../support/samples/generatedStream.js';
import { createTestClock } from '../../support/sandbox/sandbox.js';

const STEP_SECONDS = 300;
const COUNT = 2500;
const now = STILL_NOW_MS / 1000;
const clock = createTestClock(STILL_NOW_MS);

let gateway: TestGateway;
let streamId: number;

beforeAll(async () => {
  gateway = await startStillGateway({ gateway: { clock } });
  [streamId = 0] = makeStreams(gateway, 1);
  addSamples(gateway, streamId, evenly(COUNT, now - COUNT * STEP_SECONDS, STEP_SECONDS));
});

interface Page {
  nodes: { platformId: string }[];
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
}

interface PagesRead {
  /** The start dates of the requested batches, in Unix seconds. */
  calls: string[];
  ids: string[];
}

/** All pages of a field, below a parent or at the root. */
async function readAllPages(
  parent: string,
  field: string,
  id: number,
  first: number,
  since = '2020-01-01T00:00:00Z',
) {
  const read: PagesRead = { calls: [], ids: [] };
  const page = `${field}(since: $since, first: $first, after: $after) { nodes { platformId } pageInfo { hasNextPage endCursor } }`;
  const query = parent === '' ? `{ ${page} }` : `{ ${parent}(id: $id) { ${page} } }`;
  let after: string | null = null;
  gateway.sandbox.calls.reset();
  do {
    const variables = parent === '' ? '' : '$id: ID!, ';
    const result: Record<string, unknown> = await gateway.ask(
      `query (${variables}$since: DateTime!, $first: Int, $after: String) ${query}`,
      { ...(parent !== '' && { id }), since, first, after },
    );
    const found = (
      parent === '' ? result[field] : (result[parent] as Record<string, unknown>)[field]
    ) as Page;
    read.ids.push(...found.nodes.map(({ platformId }) => platformId));
    after = found.pageInfo.hasNextPage ? found.pageInfo.endCursor : null;
  } while (after !== null);
  const batches = gateway.restCalls().filter(({ path }) => path.endsWith('/batch'));
  read.calls = batches.map(({ query }) => query['sampleDate'] ?? '');
  return read;
}

const siteOf = (id: number) =>
  required(gateway.sql<{ siteId: number }>('SELECT site_id AS siteId FROM stream WHERE id = ?', id)[0])
    .siteId;

describe('paging', () => {
  it.each([
    ['images of the account', () => readAllPages('', 'images', 0, 3)],
    ['images of a stream', () => readAllPages('stream', 'images', fullestStream(gateway, 'image'), 3)],
    ['RFID reads of a stream', () => readAllPages('stream', 'rfidReads', fullestStream(gateway, 'rfid'), 7)],
    [
      'RFID reads of a site',
      () => readAllPages('site', 'rfidReads', siteOf(fullestStream(gateway, 'rfid')), 7),
    ],
    ['samples of a stream', () => readAllPages('stream', 'samplesSince', streamId, 1000)],
  ])('through the %s costs one call, and none when cached', async (_, readAll) => {
    const { calls, ids } = await readAll();
    expect(calls).toHaveLength(1);
    expect(ids.length).toBeGreaterThan(3);
    expect(new Set(ids).size).toBe(ids.length);
    expect(await readAll()).toEqual({ calls: [], ids });
  });

  it('reads the open end again when it has expired, and not the days before it', async () => {
    const before = await readAllPages('stream', 'samplesSince', streamId, 1000);
    addSamples(gateway, streamId, [{ at: now - 60, value: 1 }]);
    expect((await readAllPages('stream', 'samplesSince', streamId, 1000)).ids).toEqual(before.ids);
    clock.advance(11_000);
    const { calls, ids } = await readAllPages('stream', 'samplesSince', streamId, 1000);
    expect(ids).toHaveLength(COUNT + 1);
    const yesterday = Math.floor(now / 86_400 - 1) * 86_400;
    expect(calls).toEqual([String(yesterday)]);
  });

  it('from within the cached range needs no call', async () => {
    await readAllPages('stream', 'samplesSince', streamId, 1000);
    const { calls, ids } = await readAllPages(
      'stream',
      'samplesSince',
      streamId,
      1000,
      toText(now - 10 * STEP_SECONDS),
    );
    expect([calls, ids.length]).toEqual([[], 11]);
  });
});
