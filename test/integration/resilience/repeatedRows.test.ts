/** Rows that the platform sends more than once count once. */
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { fullestStream, required, startStillGateway, type TestGateway } from '../../support/gateway.js';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startStillGateway();
});

/** A list with each row twice, of which the first is older. */
function twice(rows: readonly object[]): object[] {
  return rows.flatMap((row) => [{ ...row, display_name: 'Old', tag_ids: '', message: 'Old' }, row]);
}

function repeatRows(json: unknown): unknown {
  if (Array.isArray(json)) return twice(json);
  const { samples } = json as { samples?: object[] };
  return samples === undefined ? json : { ...(json as object), samples: twice(samples) };
}

const SINCE = 'since: "2026-03-13T00:00:00Z", first: 1000';
const RANGE = 'range: { from: "2026-03-14T06:00:00Z", to: "2026-03-14T09:20:00Z" }';

/** `SITE` is the site of the stream `NUMBERS`; `READS` and `IMAGES` are streams with samples of these kinds. */
const operations = [
  '{ organizations { totalCount nodes { name } } users { totalCount nodes { userName } } }',
  '{ sites { totalCount nodes { name organization { name } customAttributes { name value } } } }',
  '{ devices { totalCount nodes { name channels { name streams { name } } } } }',
  '{ channels { totalCount nodes { name } } streams { totalCount nodes { name channelLink } } }',
  '{ site(id: SITE) { devices { name } streams { name channelLink customAttributes { name value } } } }',
  '{ siteCustomAttributeNames { name } streamCustomAttributeNames { name } }',
  '{ devices(first: 2) { nodes { lastHealth { value } health { nodes { value } } logs { nodes { message } } } } }',
  '{ stream(id: NUMBERS) { samplesAfter { id } lastSample { id } } site(id: SITE) { samplesAfter { id } } }',
  `{ stream(id: NUMBERS) { samplesSince(${SINCE}) { totalCount nodes { id } } } }`,
  `{ stream(id: NUMBERS) { samples(${RANGE}) { totalCount nodes { id } } aggregates(${RANGE}, every: { minutes: 30 }) { count sum } } }`,
  '{ scalar: sampleBatch(kind: SCALAR) { samples { id } } rfid: sampleBatch(kind: RFID) { samples { id } } }',
  `{ rfidReads(${SINCE}) { totalCount nodes { id tagIds } } images(${SINCE}) { totalCount nodes { id } } }`,
  `{ stream(id: READS) { rfidReads(${SINCE}) { totalCount nodes { id } } rfidReadsAfter { id } } }`,
  `{ stream(id: IMAGES) { images(${SINCE}) { totalCount nodes { id } } } }`,
];

describe('rows that the platform repeats', () => {
  it.each(operations)('count once in %s', async (template) => {
    const numbers = fullestStream(gateway, 'scalar');
    const [stream] = gateway.sql<{ site_id: number }>('SELECT site_id FROM stream WHERE id = ?', numbers);
    const operation = template
      .replace('NUMBERS', String(numbers))
      .replaceAll('SITE', String(required(stream).site_id))
      .replace('READS', String(fullestStream(gateway, 'rfid')))
      .replace('IMAGES', String(fullestStream(gateway, 'image')));
    const { data: sound } = await gateway.count(operation);
    onTestFinished(gateway.sandbox.faults.add({ match: ({ method }) => method === 'GET', edit: repeatRows }));
    const { data } = await gateway.count(operation);
    expect(data).toEqual(sound);
  });
});
