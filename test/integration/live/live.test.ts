/** Live samples over a real websocket: each sample once, to its subscribers alone, with one poll for all. */
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { required } from '../../support/gateway.js';
import {
  anyStream,
  IMAGES,
  LISTEN_BARE,
  MANY_POLLS_MS,
  POLL_MS,
  polls,
  READS,
  received,
  SCALARS,
  shareGateway,
  startLiveGateway,
  untilListening,
  WAIT,
} from '../../support/http/live.js';

const gateway = await startLiveGateway();
const begin = shareGateway(gateway, untilQuiet);

/** Waits until polling has been idle for a long time. */
async function untilQuiet(): Promise<void> {
  await vi.waitFor(async () => {
    const before = gateway.sandbox.calls.total();
    await sleep(MANY_POLLS_MS);
    expect(gateway.sandbox.calls.total()).toBe(before);
  }, WAIT);
}

describe('a subscriber', () => {
  it('receives every sample once, in the order of arrival, with its value and the name of its stream', async () => {
    const before = gateway.newestId();
    const listener = begin({ kinds: ['SCALAR'] });
    await untilListening(gateway);
    for (let round = 0; round < 3; round++) {
      gateway.pass(5);
      await received(listener, gateway.scalarsAfter(before).length);
    }
    const expected = gateway.scalarsAfter(before);
    expect(expected.length).toBeGreaterThan(50);
    expect(listener.samples).toEqual(expected);
    expect(listener.errors).toEqual([]);
  });

  it('receives late samples when they arrive, regardless of their timestamps', async () => {
    const listener = begin({ kinds: ['SCALAR'] });
    await untilListening(gateway);
    const id = gateway.nextId();
    const dayBefore = Math.floor(gateway.clock.now() / 1000) - 86_400;
    gateway.run('INSERT INTO scalar_sample VALUES (?, ?, ?, 7.5)', id, anyStream(gateway), dayBefore);
    await received(listener, 1);
    expect(listener.samples).toEqual(gateway.scalarsAfter(id - 1));
  });

  it('receives images with their address and RFID reads with their tags', async () => {
    const reads = begin({ kinds: ['RFID'] });
    const images = begin({ kinds: ['IMAGE'] });
    await Promise.all([untilListening(gateway, READS), untilListening(gateway, IMAGES)]);
    const [lastImage, lastRead] = [gateway.newestId('image'), gateway.newestId('rfid')];
    gateway.pass(180);
    const [newImages, newReads] = [gateway.imagesAfter(lastImage), gateway.readsAfter(lastRead)];
    expect(newImages.length).toBeGreaterThan(0);
    expect(newReads.length).toBeGreaterThan(0);
    await Promise.all([received(images, newImages.length), received(reads, newReads.length)]);
    expect(images.ids().sort()).toEqual(newImages.sort());
    expect(reads.ids()).toEqual(newReads);
    expect(images.samples.every(({ url = '' }) => URL.canParse(url))).toBe(true);
    expect(reads.samples.some(({ tagIds = [] }) => tagIds.length > 0)).toBe(true);
  });

  it('receives images that arrive after newer ones', async () => {
    const images = begin({ kinds: ['IMAGE'] }, LISTEN_BARE);
    await untilListening(gateway, IMAGES);
    const add = (secondsAgo: number): string => {
      const id = gateway.nextId('image');
      const at = Math.floor(gateway.clock.now() / 1000) - secondsAgo;
      gateway.run('INSERT INTO image_sample VALUES (?, ?, ?, 640, 480)', id, anyStream(gateway), at);
      return `ImageSample:${id}`;
    };
    const newer = add(0);
    await received(images, 1);
    const late = add(60);
    await received(images, 2);
    expect(images.ids()).toEqual([newer, late]);
  });

  it('without a filter of kinds receives all of them', async () => {
    const listener = begin();
    await Promise.all([SCALARS, READS, IMAGES].map((template) => untilListening(gateway, template)));
    gateway.pass(180);
    await vi.waitFor(
      () =>
        expect(new Set(listener.samples.map(({ __typename }) => __typename))).toEqual(
          new Set(['ScalarSample', 'RfidSample', 'ImageSample']),
        ),
      WAIT,
    );
  });

  it('does not move the position of the delivery queue', async () => {
    const cursors = () => gateway.sql('SELECT * FROM batch_cursor ORDER BY client_id, kind');
    // Reads the waiting samples once, so that positions exist that could move.
    await gateway.ask('{ a: sampleBatch(kind: SCALAR) { hasMore } b: sampleBatch(kind: RFID) { hasMore } }');
    const before = cursors();
    expect(before.length).toBeGreaterThan(1);
    gateway.sandbox.calls.reset();
    const listener = begin({ kinds: ['SCALAR', 'RFID'] });
    await untilListening(gateway);
    gateway.pass(15);
    await received(listener, 1);
    expect(cursors()).toEqual(before);
    expect(gateway.restCalls().filter(({ method }) => method !== 'GET')).toEqual([]);
    expect(gateway.restCalls().filter(({ query }) => query['enableAck'] === 'false')).toEqual([]);
  });
});

describe('filters', () => {
  it('restrict a subscriber to streams, to sites, or to either', async () => {
    const [one, other, third] = [0, 1, 40].map((index) => anyStream(gateway, index)) as [
      number,
      number,
      number,
    ];
    const siteOf = (id: number) =>
      required(gateway.sql<{ id: number }>('SELECT site_id AS id FROM stream WHERE id = ?', id)[0]).id;
    expect(siteOf(third)).not.toBe(siteOf(one));
    // Cached first, so that subscribers of sites start as soon as the others.
    await gateway.ask('query ($id: ID!) { site(id: $id) { streams { id } } }', { id: siteOf(third) });
    const kinds = ['SCALAR'];
    const all = begin({ kinds });
    const ofStreams = begin({ kinds, streams: [`Stream:${one}`, `${other}`] });
    const ofSite = begin({ kinds, sites: [`Site:${siteOf(third)}`] });
    const ofEither = begin({ kinds, streams: [`${one}`], sites: [`${siteOf(third)}`] });
    const ofNone = begin({ kinds, streams: [] });
    await untilListening(gateway);
    const before = polls(gateway, SCALARS);
    await vi.waitFor(() => expect(polls(gateway, SCALARS)).toBeGreaterThan(before + 10), WAIT);
    gateway.pass(30);
    await sleep(MANY_POLLS_MS);
    const last = gateway.append(one, [1]);
    await vi.waitFor(() => expect(ofEither.ids()).toContain(last[0]), WAIT);
    await received(all, 1);
    const isOfSite = ({ stream }: { stream: { id: string } }) =>
      siteOf(Number(stream.id.slice('Stream:'.length))) === siteOf(third);
    const isNamed = ({ stream: { id } }: { stream: { id: string } }) =>
      id === `Stream:${one}` || id === `Stream:${other}`;
    await vi.waitFor(() => expect(all.ids()).toContain(last[0]), WAIT);
    expect(ofStreams.samples).toEqual(all.samples.filter(isNamed));
    expect(ofSite.samples).toEqual(all.samples.filter(isOfSite));
    expect(ofEither.samples).toEqual(
      all.samples.filter((sample) => isOfSite(sample) || sample.stream.id === `Stream:${one}`),
    );
    expect(ofStreams.samples.length).toBeGreaterThan(0);
    expect(ofSite.samples.length).toBeGreaterThan(0);
    expect(ofNone.samples).toEqual([]);
  });

  it.each([
    [{ streams: ['Site:1'] }, 'streamIds[0]'],
    [{ streams: ['1', 'x'] }, 'streamIds[1]'],
    [{ sites: ['Stream:1'] }, 'siteIds[0]'],
    [{ after: '17' }, 'after'],
    [{ after: 'ImageSample:17' }, 'after'],
    [{ after: 'ScalarSample:0' }, 'after'],
  ])('that are contradictory, such as %j, are refused', async (variables, place) => {
    const listener = begin(variables);
    await listener.ended;
    expect(listener.errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT', retryable: false } }]);
    expect(listener.errors[0]?.message).toContain(place);
    expect(listener.samples).toEqual([]);
  });
});

describe('the platform', () => {
  it('is polled once for each kind, for any number of subscribers', async () => {
    const many = Array.from({ length: 20 }, () => begin({}, LISTEN_BARE));
    await Promise.all([SCALARS, READS, IMAGES].map((template) => untilListening(gateway, template)));
    const looksForStart = gateway.restCalls().filter(({ query }) => query['backfillHours'] === '1');
    expect(looksForStart.map(({ pathTemplate }) => pathTemplate).sort()).toEqual([SCALARS, READS].sort());

    // Only a received sample shows that a subscription has started.
    const appended: string[] = [];
    await vi.waitFor(() => {
      appended.push(...gateway.append(anyStream(gateway), [appended.length + 1]));
      for (const listener of many) expect(listener.ids()).not.toEqual([]);
    }, WAIT);
    await vi.waitFor(() => {
      for (const listener of many) {
        const [first = ''] = listener.ids();
        expect(listener.ids()).toEqual(appended.slice(appended.indexOf(first)));
      }
    }, WAIT);

    const underWay = () => gateway.restCalls().filter(({ status }) => status === 0);
    const kindsUnderWay = () => underWay().map(({ pathTemplate }) => pathTemplate);
    gateway.sandbox.faults.add({ latencyMs: 1000 });
    await vi.waitFor(() => expect(new Set(kindsUnderWay())).toEqual(new Set([SCALARS, READS, IMAGES])), WAIT);
    for (let look = 0; look < 10; look++) {
      await sleep(2 * POLL_MS);
      expect(kindsUnderWay().length).toBe(new Set(kindsUnderWay()).size);
    }
  });

  it('is not polled before the first subscription, nor after the last one ends', async () => {
    await untilQuiet();
    expect(gateway.sandbox.calls.total()).toBe(0);
    const [one, other] = [begin(), begin({ kinds: ['SCALAR'] })];
    await Promise.all([SCALARS, READS, IMAGES].map((template) => untilListening(gateway, template)));
    await one?.leave();
    const before = polls(gateway, SCALARS);
    await vi.waitFor(() => expect(polls(gateway, SCALARS)).toBeGreaterThan(before + 2), WAIT);
    const readsBefore = polls(gateway, READS);
    const scalarsBefore = polls(gateway, SCALARS);
    await vi.waitFor(() => expect(polls(gateway, SCALARS)).toBeGreaterThan(scalarsBefore + 3), WAIT);
    expect(polls(gateway, READS)).toBe(readsBefore);
    await other?.leave();
    await untilQuiet();
  });
});
