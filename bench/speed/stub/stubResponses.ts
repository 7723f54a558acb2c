/** The stub's responses by path, as bytes. Built in advance if the path has no date. */
import {
  type Account,
  createAccount,
  type Row,
  SAMPLE_STEP_SECONDS,
  SAMPLES_PER_STREAM,
  toSampleText,
} from './stubData.js';

/** Returns the whole response with status line and headers. */
type FindResponse = (path: string) => Buffer;

const MAX_CACHED = 2000;

export function createResponses(newestUnixSeconds: number): FindResponse {
  const fixed = createFixedResponses(newestUnixSeconds);
  const samples = createSampleRows(newestUnixSeconds);
  const cached = new Map<string, Buffer>();
  return (path) => {
    const existing = fixed.get(path) ?? cached.get(path);
    if (existing) return existing;
    const response = toResponse(200, batchBody(path, samples)) ?? notFound;
    if (cached.size < MAX_CACHED) cached.set(path, response);
    return response;
  };
}

function toResponse(status: number, body: string | undefined): Buffer | undefined {
  if (body === undefined) return undefined;
  const headers = `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}`;
  return Buffer.from(
    `HTTP/1.1 ${status} ${status === 200 ? 'OK' : 'Not Found'}\r\n${headers}\r\n\r\n${body}`,
  );
}

const notFound =
  toResponse(404, '{"message":"There is no such thing.","request_id":"stub"}') ?? Buffer.alloc(0);

/** The responses of all paths without a date. */
function createFixedResponses(newestUnixSeconds: number): Map<string, Buffer> {
  const account = createAccount();
  const responses = new Map<string, Buffer>();
  const put = (path: string, body: string) => responses.set(path, toResponse(200, body) ?? notFound);
  put('/auth/token', '{"access_token":"stub-token","token_type":"JWT","expires_in":3600}');
  for (const [path, rows] of listsOf(account)) put(`/v2.0${path}`, JSON.stringify(rows));
  for (const [path, row] of singlesOf(account)) put(`/v2.0${path}`, JSON.stringify(row));
  for (const { id } of account.streams) {
    put(`/v2.0/stream/${id}/sample/last`, toSampleText(id, 0, newestUnixSeconds));
  }
  return responses;
}

function listsOf(account: Account): [string, readonly Row[]][] {
  const { sites, devices, channels, streams, siteAttributes, streamAttributes } = account;
  const ofSite = (id: number) => streams.filter(({ site_id }) => site_id === id).map((stream) => stream.id);
  return [
    ['/account/organization', account.organizations],
    ['/site', sites],
    ['/site/customAttributes', siteAttributes],
    ['/device', devices],
    ['/channel', channels],
    ['/stream', streams],
    ['/stream/customAttributes', streamAttributes],
    ...sites.flatMap(({ id }): [string, readonly Row[]][] => [
      [`/site/${id}/devices`, devices.filter(({ site_id }) => site_id === id)],
      [`/site/${id}/streams`, streams.filter(({ site_id }) => site_id === id)],
      [`/site/${id}/customAttributes`, siteAttributes.filter(({ parent_id }) => parent_id === id)],
      [
        `/site/${id}/streams/customAttributes`,
        streamAttributes.filter(({ parent_id }) => ofSite(id).includes(parent_id)),
      ],
    ]),
    ...devices.map(({ id }): [string, readonly Row[]] => [
      `/device/${id}/channels`,
      channels.filter(({ device_id }) => device_id === id),
    ]),
    ...streams.map(({ id }): [string, readonly Row[]] => [
      `/stream/${id}/customAttributes`,
      streamAttributes.filter(({ parent_id }) => parent_id === id),
    ]),
  ];
}

function singlesOf(account: Account): [string, Row][] {
  const byId = (path: string, rows: readonly Row[]) => rows.map((row): [string, Row] => [path + row.id, row]);
  return [
    ...byId('/account/organization/', account.organizations),
    ...byId('/site/', account.sites),
    ...byId('/device/id/', account.devices),
    ...account.devices.map((row): [string, Row] => [`/device/${row.serial_number}`, row]),
    ...byId('/channel/', account.channels),
    ...byId('/stream/', account.streams),
  ];
}

/** The rows of samples as text, oldest first. */
interface SampleRows {
  streamIds: readonly number[];
  streamIdsOfSite(siteId: number): readonly number[];
  /** From `from` to `to` in Unix seconds, both inclusive. */
  between(streamId: number, from: number, to: number): string[];
  newestUnixSeconds: number;
}

function createSampleRows(newestUnixSeconds: number): SampleRows {
  const { streams } = createAccount();
  const ageAt = (unixSeconds: number) => (newestUnixSeconds - unixSeconds) / SAMPLE_STEP_SECONDS;
  return {
    streamIds: streams.map(({ id }) => id),
    streamIdsOfSite: (siteId) => streams.filter((one) => one.site_id === siteId).map(({ id }) => id),
    between(streamId, from, to) {
      const oldest = Math.min(Math.floor(ageAt(from)), SAMPLES_PER_STREAM - 1);
      const newest = Math.max(Math.ceil(ageAt(to)), 0);
      const length = Math.max(0, oldest - newest + 1);
      return Array.from({ length }, (_, index) => toSampleText(streamId, oldest - index, newestUnixSeconds));
    },
    newestUnixSeconds,
  };
}

/** The body of a path with a date; undefined for any other path. */
function batchBody(path: string, samples: SampleRows): string | undefined {
  const { pathname, searchParams } = new URL(path, 'http://stub');
  const [, kind, idText, rest] =
    /^\/v2\.0(?:\/(stream|site)\/(\d+))?\/(sample\/(?:range|batch))$/.exec(pathname) ?? [];
  const number = (name: string, fallback: number) => Number(searchParams.get(name) ?? fallback);
  const until = samples.newestUnixSeconds;
  if (rest === undefined) return undefined;
  if (rest === 'sample/range') {
    const rows = samples.between(Number(idText), number('fromDate', 0), number('toDate', until));
    return toBatch(rows, number('limit', 10_000), number('offset', 1));
  }
  const allOrOne = kind === 'stream' ? [Number(idText)] : samples.streamIds;
  const streamIds = kind === 'site' ? samples.streamIdsOfSite(Number(idText)) : allOrOne;
  const from = number('sampleDate', until - number('backfillHours', 0) * 3600);
  return toBatch(inOrderOfArrival(streamIds.map((id) => samples.between(id, from, until))), 10_000, 1);
}

/** All streams are sampled at the same moments, in the order of their ids. */
function inOrderOfArrival(rowsOfStreams: readonly (readonly string[])[]): string[] {
  const [first = []] = rowsOfStreams;
  return first.flatMap((_, moment) => rowsOfStreams.map((rows) => rows[moment] ?? ''));
}

function toBatch(rows: readonly string[], limit: number, offset: number): string {
  const page = rows.slice(offset - 1, offset - 1 + limit);
  return `{"hasMore":${rows.length > offset - 1 + limit},"samples":[${page.join(',')}]}`;
}
