/** Images and RFID reads over the real REST API, compared with the sandbox's rows. */
import { describe, expect, it } from 'vitest';
import { fullestStream, required, startStillGateway, toText } from '../../support/gateway.js';

const gateway = await startStillGateway();
const cameraId = fullestStream(gateway, 'image');
const readerId = fullestStream(gateway, 'rfid');

describe('images', () => {
  interface Image {
    platformId: string;
    sampledAt: string;
    url: string;
    width: number;
    height: number;
    byteSize: number;
    contentType: string;
  }
  const FIELDS = 'platformId sampledAt url width height byteSize contentType';

  it('of a stream, its newest images and one by its id are the same, and the picture can be fetched', async () => {
    const rows = gateway.sql<{ id: number; sample_date: number; width: number; height: number }>(
      'SELECT * FROM image_sample WHERE stream_id = ? ORDER BY sample_date, id',
      cameraId,
    );
    const last = required(rows.at(-1));
    const result = await gateway.ask<{
      stream: { images: { nodes: Image[] }; lastImage: Image };
      image: Image;
    }>(
      `query ($id: ID!, $image: ID!) {
        stream(id: $id) { images(since: "2020-01-01T00:00:00Z") { nodes { ${FIELDS} } } lastImage { ${FIELDS} } }
        image(id: $image) { ${FIELDS} } }`,
      { id: cameraId, image: `ImageSample:${last.id}` },
    );
    expect(
      result.stream.images.nodes.map(({ platformId, sampledAt, width, height }) => [
        platformId,
        sampledAt,
        width,
        height,
      ]),
    ).toEqual(rows.map((row) => [String(row.id), toText(row.sample_date), row.width, row.height]));
    expect(result.stream.lastImage).toEqual(result.stream.images.nodes.at(-1));
    expect(result.image).toEqual(result.stream.lastImage);
    const picture = await fetch(result.image.url);
    const bytes = await picture.arrayBuffer();
    expect(picture.headers.get('content-type')).toBe(result.image.contentType);
    expect(bytes.byteLength).toBe(result.image.byteSize);
  });

  it('of the account are paged, oldest first, without those of another account', async () => {
    const rows = gateway.sql<{ id: number }>(
      `SELECT x.id FROM image_sample x JOIN stream s ON s.id = x.stream_id WHERE account_id = ?
       ORDER BY sample_date, x.id`,
      gateway.accountId,
    );
    const { images } = await gateway.ask<{ images: { totalCount: number; nodes: Image[] } }>(
      '{ images(since: "2020-01-01T00:00:00Z", first: 3) { totalCount nodes { platformId } } }',
    );
    expect(images.totalCount).toBe(rows.length);
    expect(images.nodes.map(({ platformId }) => platformId)).toEqual(
      rows.slice(0, 3).map(({ id }) => String(id)),
    );
  });
});

describe('images of a site', () => {
  it('are those of its streams in pages', async () => {
    const [{ siteId = 0 } = {}] = gateway.sql<{ siteId: number }>(
      'SELECT site_id AS siteId FROM stream WHERE id = ?',
      cameraId,
    );
    const rows = gateway.sql<{ id: number }>(
      `SELECT x.id FROM image_sample x JOIN stream s ON s.id = x.stream_id WHERE site_id = ?
       ORDER BY sample_date, x.id`,
      siteId,
    );
    const found: string[] = [];
    let after: string | null = null;
    do {
      const result: { site: { images: Page } } = await gateway.ask(
        `query ($id: ID!, $after: String) { site(id: $id) { images(since: "2020-01-01T00:00:00Z", first: 3, after: $after) {
          nodes { platformId } pageInfo { hasNextPage endCursor } } } }`,
        { id: siteId, after },
      );
      const { nodes, pageInfo } = result.site.images;
      found.push(...nodes.map(({ platformId }) => platformId));
      after = pageInfo.hasNextPage ? pageInfo.endCursor : null;
    } while (after !== null);
    expect(found).toEqual(rows.map(({ id }) => String(id)));
    expect(found.length).toBeGreaterThan(3);
  });

  interface Page {
    nodes: { platformId: string }[];
    pageInfo: { hasNextPage: boolean; endCursor: string | null };
  }
});

describe('RFID reads', () => {
  it('of one tag are those that contain it, by stream and by site', async () => {
    const rows = gateway.sql<{ id: number; tag_ids: string }>(
      'SELECT id, tag_ids FROM rfid_sample WHERE stream_id = ? ORDER BY sample_date, id',
      readerId,
    );
    const tagId = required(/\d+/.exec(required(rows[0]).tag_ids)?.[0]);
    const expected = rows
      .filter(({ tag_ids }) => tag_ids.includes(tagId))
      .map(({ id }) => ({ platformId: String(id) }));
    const reads = `rfidReads(since: "2020-01-01T00:00:00Z", filter: { tagId: $tag }, first: 1000) {
      totalCount nodes { platformId } }`;
    const { stream } = await gateway.ask<Record<'stream', Reads & { site: Reads }>>(
      `query ($id: ID!, $tag: String) { stream(id: $id) { ${reads} site { ${reads} } } }`,
      { id: readerId, tag: tagId },
    );
    expect(expected.length).toBeLessThan(rows.length);
    expect(stream.rfidReads).toEqual({ totalCount: expected.length, nodes: expected });
    expect(stream.site.rfidReads).toEqual(stream.rfidReads);
  });

  it('of the account take any time as `since`', async () => {
    const totals = ['0001-01-01', '1900-01-01', '1970-01-01'].map(
      async (day) => await gateway.ask(`{ rfidReads(since: "${day}T00:00:00Z", first: 1) { totalCount } }`),
    );
    const totalCount = Number(gateway.sql<{ n: number }>('SELECT count(*) AS n FROM rfid_sample')[0]?.n);
    expect(await Promise.all(totals)).toEqual(totals.map(() => ({ rfidReads: { totalCount } })));
  });

  it('and images refuse a cursor whose time is no date', async () => {
    const after = Buffer.from('Sample.9007199254740991.1').toString('base64url');
    const { body } = await gateway.query(
      `query ($id: ID!, $after: String) { stream(id: $id) {
        images(since: "2020-01-01T00:00:00Z", after: $after) { totalCount }
        rfidReads(since: "2020-01-01T00:00:00Z", after: $after) { totalCount } } }`,
      { id: readerId, after },
    );
    expect(body.errors?.map(({ extensions }) => extensions.code)).toEqual([
      'BAD_USER_INPUT',
      'BAD_USER_INPUT',
    ]);
  });

  interface Reads {
    rfidReads: { totalCount: number; nodes: { platformId: string }[] };
  }

  interface Read {
    platformId: string;
    tagIds: string[];
    rawTagIds: string;
    startAt: string;
    endAt: string;
    position: { latitude: number; satelliteCount: number } | null;
  }
  const FIELDS = 'platformId tagIds rawTagIds startAt endAt position { latitude satelliteCount }';

  it('are listed by stream, by site and by arrival, with separate tags and their position', async () => {
    const rows = gateway.sql<{
      id: number;
      start_date: number;
      end_date: number;
      tag_ids: string;
      gps: string | null;
    }>('SELECT * FROM rfid_sample WHERE stream_id = ? ORDER BY sample_date, id', readerId);
    const expected = rows.map((row) => {
      const gps = row.gps === null ? null : (JSON.parse(row.gps) as Record<string, number>);
      return {
        ...{ platformId: String(row.id), tagIds: row.tag_ids.match(/\d+/g), rawTagIds: row.tag_ids },
        ...{ startAt: toText(row.start_date), endAt: toText(row.end_date) },
        position: gps && { latitude: gps['latitude'], satelliteCount: gps['number_of_satellites'] },
      };
    });
    const { stream } = await gateway.ask<{
      stream: {
        rfidReads: { nodes: Read[] };
        rfidReadsAfter: Read[];
        lastRfidRead: Read;
        site: { rfidReads: { nodes: Read[] } };
      };
    }>(
      `query ($id: ID!) { stream(id: $id) {
        rfidReads(since: "2020-01-01T00:00:00Z") { nodes { ${FIELDS} } } rfidReadsAfter { ${FIELDS} }
        lastRfidRead { ${FIELDS} } site { rfidReads(since: "2020-01-01T00:00:00Z") { nodes { ${FIELDS} } } } } }`,
      { id: readerId },
    );
    expect(stream.rfidReads.nodes).toEqual(expected);
    expect(stream.site.rfidReads.nodes).toEqual(expected);
    expect(stream.lastRfidRead).toEqual(expected.at(-1));
    const byArrival = (one: Read, other: Read) => Number(one.platformId) - Number(other.platformId);
    expect(stream.rfidReadsAfter).toEqual([...stream.rfidReads.nodes].sort(byArrival));
    expect(expected.some(({ tagIds }) => (tagIds?.length ?? 0) > 1)).toBe(true);
  });
});
