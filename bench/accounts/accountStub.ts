/**
 * The process of a stub of the REST API for accounts of any size: rows are computed from their ids, so that an
 * account of 10,000 sites takes no time to start. Argument: the number of sites. Lists and batches end at 10,000
 * rows.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { type AccountStubReport, LIST_LENGTH, SAMPLE_STEP_SECONDS, SHAPE } from './accountShape.js';

const FIRST = { site: 100_001, device: 200_001, channel: 300_001, stream: 500_001 };
const siteCount = Number(process.argv[2]);
const { devicesPerSite, channelsPerDevice, streamsPerSite } = SHAPE;
const deviceCount = siteCount * devicesPerSite;
const channelCount = deviceCount * channelsPerDevice;
const streamCount = siteCount * streamsPerSite;
/** Streams in the order in which their samples arrive within a step. */
const arrivalOrder = upTo(streamCount).sort((one, other) => secondOf(one) - secondOf(other) || one - other);
const arrivalRank = new Int32Array(streamCount);
for (const [rank, stream] of arrivalOrder.entries()) arrivalRank[stream] = rank;
const FIRST_STEP = Math.floor(Date.now() / 1000 / SAMPLE_STEP_SECONDS) - 24 * 12;

function upTo(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}

function secondOf(stream: number): number {
  return stream % SAMPLE_STEP_SECONDS;
}

function range(start: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => start + index);
}

const CREATED = '2024-03-01T08:00:00Z';

function toSite(index: number) {
  const location = {
    latitude: (39 + index / 10_000).toFixed(6),
    longitude: (-84 - index / 10_000).toFixed(6),
  };
  const id = FIRST.site + index;
  return { id, creation_date: CREATED, display_name: `Site ${index + 1}`, status: 'Active', ...location };
}

function toDevice(index: number) {
  const site = Math.floor(index / devicesPerSite);
  return {
    id: FIRST.device + index,
    serial_number: `SN${700_000 + index}`,
    display_name: `Logger ${(index % devicesPerSite) + 1}`,
    model_number: 'FG-200',
    site_id: FIRST.site + site,
    site_display_name: `Site ${site + 1}`,
    akid: `AK${700_000 + index}`,
    iccid: '8901000000000000001',
    iccid2: '',
    meid: '',
    firmware_version: '4.2.0',
  };
}

function toChannel(index: number) {
  return {
    id: FIRST.channel + index,
    device_id: FIRST.device + Math.floor(index / channelsPerDevice),
    creation_date: CREATED,
    display_name: `Channel ${(index % (devicesPerSite * channelsPerDevice)) + 1}`,
    on_device_num: index % channelsPerDevice,
    type_id: 1,
    type_display_name: 'ANALOG',
    status_id: 1,
    display_status_name: 'Active',
  };
}

/** Shares its name with one channel of its site. */
function toStream(index: number) {
  return {
    id: FIRST.stream + index,
    site_id: FIRST.site + Math.floor(index / streamsPerSite),
    creation_date: CREATED,
    display_name: `Channel ${(index % streamsPerSite) * 2 + 1}`,
    type_id: 1,
    type_display_name: 'Pressure',
    units: 'bar',
    value_scale: '1',
    status_id: 1,
  };
}

function toAttribute(stream: number) {
  return { id: 2, display_name: 'asset', parent_id: FIRST.stream + stream, value: `asset of ${stream}` };
}

/** The sample at an index in the order of all samples, as JSON. */
function toSample(index: number): string {
  const stream = arrivalOrder[index % streamCount] ?? 0;
  const step = FIRST_STEP + Math.floor(index / streamCount);
  const date = new Date((step * SAMPLE_STEP_SECONDS + secondOf(stream)) * 1000).toISOString();
  return `{"id":${index + 1},"stream_id":${FIRST.stream + stream},"sample_date":"${date.slice(0, 19)}Z","value":"${(index % 800) / 4}"}`;
}

/** The number of samples that arrived before the second of this time. */
function arrivedBy(unixSeconds: number): number {
  const step = Math.floor(unixSeconds / SAMPLE_STEP_SECONDS) - FIRST_STEP;
  const second = Math.floor(unixSeconds % SAMPLE_STEP_SECONDS);
  let [low, high] = [0, streamCount];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (secondOf(arrivalOrder[middle] ?? 0) < second) low = middle + 1;
    else high = middle;
  }
  return Math.max(0, step * streamCount + low);
}

const nowSeconds = () => Date.now() / 1000;

function toBatch(indexes: readonly number[], hasMore: boolean): string {
  return `{"hasMore":${hasMore},"samples":[${indexes.map(toSample).join(',')}]}`;
}

function accountBatch(query: URLSearchParams): string {
  const hours = Number(query.get('backfillHours') ?? 0);
  const first = query.has('sampleID')
    ? Number(query.get('sampleID'))
    : arrivedBy(nowSeconds() - hours * 3600);
  const count = Math.max(0, arrivedBy(nowSeconds()) - first);
  return toBatch(range(first, Math.min(count, LIST_LENGTH)), count > LIST_LENGTH);
}

function samplesOf(streams: readonly number[], sinceSeconds: number): string {
  const end = arrivedBy(nowSeconds());
  const firstStep = Math.max(0, Math.ceil(sinceSeconds / SAMPLE_STEP_SECONDS) - FIRST_STEP);
  const lastStep = Math.floor(end / streamCount);
  const indexes = range(firstStep, lastStep - firstStep + 1)
    .flatMap((step) => streams.map((stream) => step * streamCount + (arrivalRank[stream] ?? 0)))
    .filter((index) => index < end)
    .sort((one, other) => one - other);
  return toBatch(indexes, false);
}

const list = <Row>(count: number, toRow: (index: number) => Row) =>
  JSON.stringify(upTo(Math.min(count, LIST_LENGTH)).map(toRow));
const part = <Row>(parent: number, each: number, toRow: (index: number) => Row) =>
  JSON.stringify(range(parent * each, each).map(toRow));

/** By path; a number in the path is the argument. Undefined if nothing exists there. */
const routes: Record<string, (index: number, query: URLSearchParams) => string> = {
  '/auth/token': () => '{"access_token":"stub-token","token_type":"JWT","expires_in":3600}',
  '/v2.0/account/organization': () => '[{"id":1,"account_id":1,"display_name":"Organization"}]',
  '/v2.0/site': () => list(siteCount, toSite),
  '/v2.0/device': () => list(deviceCount, toDevice),
  '/v2.0/channel': () => list(channelCount, toChannel),
  '/v2.0/stream': () => list(streamCount, toStream),
  '/v2.0/stream/customAttributes': () => list(streamCount, toAttribute),
  '/v2.0/sample/batch': (_, query) => accountBatch(query),
  '/v2.0/site/#': (id) => JSON.stringify(toSite(id - FIRST.site)),
  '/v2.0/site/#/devices': (id) => part(id - FIRST.site, devicesPerSite, toDevice),
  '/v2.0/site/#/streams': (id) => part(id - FIRST.site, streamsPerSite, toStream),
  '/v2.0/site/#/streams/customAttributes': (id) => part(id - FIRST.site, streamsPerSite, toAttribute),
  '/v2.0/site/#/sample/batch': (id, query) =>
    samplesOf(range((id - FIRST.site) * streamsPerSite, streamsPerSite), Number(query.get('sampleDate'))),
  '/v2.0/device/#/channels': (id) => part(id - FIRST.device, channelsPerDevice, toChannel),
  '/v2.0/stream/#': (id) => JSON.stringify(toStream(id - FIRST.stream)),
  '/v2.0/stream/#/customAttributes': (id) => part(id - FIRST.stream, 1, toAttribute),
  '/v2.0/stream/#/sample/last': (id) => {
    const index = Math.floor(arrivedBy(nowSeconds()) / streamCount - 1) * streamCount;
    return toSample(index + (arrivalRank[id - FIRST.stream] ?? 0));
  },
};

const calls: Record<string, number> = {};

const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://stub');
  const template = pathname.replace(/\/\d{6,}/, '/#');
  const route = routes[template];
  if (pathname.startsWith('/v2.0')) calls[template] = (calls[template] ?? 0) + 1;
  request.resume();
  response.setHeader('Content-Type', 'application/json');
  if (route === undefined)
    response.writeHead(404).end('{"message":"There is no such thing.","request_id":"stub"}');
  else response.end(route(Number(/\/(\d{6,})/.exec(pathname)?.[1]), searchParams));
}).listen(0, '127.0.0.1', () => report({ port: (server.address() as AddressInfo).port }));

process.on('message', () => report({ calls }));

function report(content: AccountStubReport): void {
  process.send?.(content);
}
