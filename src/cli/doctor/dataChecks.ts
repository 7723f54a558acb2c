/** Checks of `fieldgraph doctor` on the account's data: one call for each family of endpoints, at most twelve. */
import type { Config } from '../../config/config.js';
import { hasCode } from '../../errors.js';
import type { Clock } from '../../lib/clock.js';
import { isRecord, parseIfJson } from '../../lib/records.js';
import { toBatch } from '../../rest/decode/batchChunks.js';
import { isErrorBody } from '../../rest/decode/responseErrors.js';
import { createRowDecoder } from '../../rest/decode/rowDecoder.js';
import { type TransportResponse, toText } from '../../rest/transport/platformRequest.js';
import { findCode } from './explainConnection.js';
import { isPage } from './explainTokenResponse.js';
import { type Finding, ok, problem, skipped, warning } from './report.js';
import {
  ATTRIBUTES,
  checkChannelAttribute,
  checkCounters,
  checkIds,
  checkLength,
  readId,
  SUPPORT,
} from './rowChecks.js';

/** `path`: without `/v2.0`. Rejects without a response. */
type Read = (path: string) => Promise<TransportResponse>;
type Settings = Pick<Config, 'channelAttribute' | 'healthCounters' | 'resilience'>;

interface EndpointCheck {
  name: string;
  /** Undefined if the endpoint responds correctly. */
  failure: Failure | undefined;
  rows: readonly unknown[];
  durationMs: number;
}

/** Endpoints that fail in the same way share one finding. */
interface Failure {
  /** `many` stands for the names of the endpoints. */
  message: `${string}many${string}`;
  remedy: string;
  isWarning?: boolean;
}

interface Endpoint {
  name: string;
  path: string;
  /** Whether an account may lack such data, for example RFID reads or images. */
  isOptional?: boolean;
  /** Form of the response. Endpoints other than those of lists and batches return 404 or 204 if there is nothing. */
  form?: 'list' | 'batch' | 'object';
}

const HEALTH = 'device health';
const IMAGES = 'images';

const QUEUE: Endpoint = { name: 'the queue of samples', path: '/sample/batch/status', form: 'object' };
const RFID: Endpoint = {
  name: 'RFID reads',
  path: '/sample/rfid/batch/status',
  isOptional: true,
  form: 'object',
};
const MAX_CALLS = 12;
const DETAILS = 'data.details';
const NO_STREAM = 'Samples and thresholds were not checked, because no stream could be read.';
const NO_DEVICE = 'Device health was not checked, because no device could be read.';
const RFID_MESSAGE = `RFID reads were not checked, because ${MAX_CALLS} REST calls are the limit.`;

export async function checkData(read: Read, clock: Clock, settings: Settings) {
  const now = Math.floor(clock.now() / 1000);
  const lists: readonly Endpoint[] = [
    { name: 'organizations', path: '/account/organization', form: 'list' },
    { name: 'users', path: '/user', form: 'list' },
    { name: 'sites', path: '/site', form: 'list' },
    { name: 'devices', path: '/device', form: 'list' },
    { name: 'channels', path: '/channel', form: 'list' },
    { name: 'streams', path: '/stream', form: 'list' },
    { name: ATTRIBUTES, path: '/stream/customAttributes', form: 'list' },
    { name: IMAGES, path: `/sample/image/batch?sampleDate=${now}`, isOptional: true, form: 'batch' },
  ];
  const check = (endpoint: Endpoint) => checkEndpoint(endpoint, read);
  const listed = await Promise.all(lists.map(check));
  const rowsOf = (name: string) => listed.find((outcome) => outcome.name === name)?.rows ?? [];
  const idOf = (name: string) => readId(rowsOf(name).find((row) => readId(row) !== undefined));
  const [device, stream] = [idOf('devices'), idOf('streams')];
  const ofStream = (id: number): Endpoint[] => [
    { name: 'samples', path: `/stream/${id}/sample/last`, form: 'object' },
    { name: 'thresholds', path: `/stream/${id}/threshold`, form: 'object' },
  ];
  const wanted: readonly Endpoint[] = [
    QUEUE,
    ...(stream === undefined ? [] : ofStream(stream)),
    ...(device === undefined ? [] : [{ name: HEALTH, path: `/device/${device}/lastHealth` }]),
    RFID,
  ];
  const others = await Promise.all(wanted.slice(0, MAX_CALLS - lists.length).map(check));
  const outcomes = [...listed, ...others];
  const [queue] = others;
  const organizations = listed.find(({ name }) => name === 'organizations');
  if (listed.every(({ name, failure }) => name === IMAGES || failure === NOT_FOUND)) {
    // Without this finding, the 404 of a server that lacks the REST API would look like that of an empty queue.
    const message = NOT_FOUND.message.replace('many', 'all lists');
    return { findings: [problem('data.permissions', message, ADDRESS)], organizationIds: undefined };
  }
  return {
    findings: [
      ...toPermissionFindings(outcomes),
      ...(outcomes.some(({ name }) => name === RFID.name) ? [] : [skipped('data.rfid', RFID_MESSAGE)]),
      ...(stream === undefined ? [skipped(DETAILS, NO_STREAM)] : []),
      ...(device === undefined ? [skipped(DETAILS, NO_DEVICE)] : []),
      ...checkAccount(listed),
      ...listed.flatMap(checkLength),
      ...listed.filter(({ failure }) => failure === undefined).flatMap(checkIds),
      ...checkChannelAttribute(rowsOf(ATTRIBUTES), settings.channelAttribute),
      ...checkDurations(outcomes, settings.resilience.attemptTimeoutMs),
      ...(queue ? [checkQueue(queue)] : []),
      ...others
        .filter(({ name }) => name === HEALTH)
        .flatMap(({ rows }) => checkCounters(rows, settings.healthCounters)),
    ],
    organizationIds: organizations?.failure
      ? undefined
      : new Set(organizations?.rows.map(readId).filter((id) => id !== undefined)),
  };
}

async function checkEndpoint(endpoint: Endpoint, read: Read): Promise<EndpointCheck> {
  const { name } = endpoint;
  const startMs = performance.now();
  let rows: readonly unknown[] = [];
  let failure: Failure | undefined;
  try {
    const response = await read(endpoint.path);
    rows = readRows(endpoint, response);
    failure = findFailure(endpoint, response, rows);
  } catch (error) {
    failure = explainRejection(error);
  }
  return { name, failure, rows, durationMs: performance.now() - startMs };
}

function explainRejection(error: unknown): Failure {
  if (hasCode(error, 'PLATFORM_BAD_RESPONSE') && error.cause === undefined) {
    const message = 'The response for many is longer than 64 MB, so the gateway does not read it.';
    return { message, remedy: SUPPORT };
  }
  const code = findCode(error);
  if (code === undefined || /ABORTED|TIMEOUT|CANCELED/.test(code))
    return { message: 'No response for many in time.', remedy: SLOW };
  if (code === 'UNFINISHED_BODY')
    return { message: 'The response for many began, but did not end in time.', remedy: SLOW };
  if (/^(Z_|ERR__|ERR_BROTLI)/.test(code))
    return { message: `The response for many can't be decompressed (${code}).`, remedy: CHECK_NETWORK };
  if (/^((INVALID|NO)_HTTP|HPE_.*|UND_ERR_HEADERS_OVERFLOW)$/.test(code))
    return { message: `The response for many is not valid HTTP (${code}).`, remedy: CHECK_NETWORK };
  const message = `The connection ended before the response for many was complete (${code}).` as const;
  return { message, remedy: `${CHECK_NETWORK} ${SUPPORT}` };
}

const SLOW = `Run \`fieldgraph doctor\` again. If it is still slow, raise PLATFORM_TIMEOUT_SECONDS. ${SUPPORT}`;
const CHECK_NETWORK = 'Check what is between the gateway and the platform: a proxy, a captive portal.';
const NULL_FIELDS = 'Fields that show them will be null.';
const ADDRESS = 'Set PLATFORM_URL to the address of the REST API, without /v2.0.';

function findFailure(
  endpoint: Endpoint,
  response: TransportResponse,
  rows: readonly unknown[],
): Failure | undefined {
  const { status, body } = response;
  const { isOptional = false, form } = endpoint;
  if (status === 200) return findBodyFailure(toText(body), endpoint, rows);
  // The gateway reads both as an empty result.
  if ((status === 404 || status === 204) && form !== 'list' && form !== 'batch') return undefined;
  if (status === 403 && isPage(response))
    return { message: 'The response for many is a web page (status 403).', remedy: CHECK_NETWORK };
  if ((status === 401 || status === 403) && isOptional) {
    const message = 'The platform does not let this API client read many.';
    return { message, remedy: NULL_FIELDS, isWarning: true };
  }
  if (status === 404 && isOptional)
    return { message: 'The platform does not have many (status 404).', remedy: NULL_FIELDS, isWarning: true };
  const remedy = status >= 300 && status < 400 ? CHECK_NETWORK : SUPPORT;
  return failures[status] ?? { message: `The response for many has status ${status}.`, remedy };
}

const SUPPORT_OR_ADDRESS =
  "If other data is readable, contact the platform's support. Otherwise set PLATFORM_URL to the address of the REST API.";
const NOT_FOUND: Failure = { message: 'The response for many has status 404.', remedy: SUPPORT_OR_ADDRESS };

/** Messages by status. All other statuses share one message. */
const failures: Readonly<Record<number, Failure>> = {
  401: {
    message: 'The platform does not accept the token for many (status 401).',
    remedy:
      'If other data is readable, ask the administrator of the account for this permission. Otherwise the token endpoint and the REST API belong to different platforms.',
  },
  403: {
    message: 'The API client may not read many (status 403).',
    remedy: 'Ask the administrator of the account for this permission.',
  },
  404: NOT_FOUND,
  429: {
    message: 'The quota of calls for many is used up.',
    remedy: 'Find which programs poll with this key; the platform allows a million calls in 15 minutes.',
  },
};

function findBodyFailure(text: string, { form }: Endpoint, rows: readonly unknown[]): Failure | undefined {
  const content = parseIfJson(text);
  if (content === undefined)
    return { message: 'The response for many is not JSON, or is incomplete.', remedy: CHECK_NETWORK };
  if (isErrorBody(content))
    return { message: 'The response for many is an error with status 200.', remedy: SUPPORT_OR_ADDRESS };
  if (form === 'batch' && toBatchRows(content) === undefined)
    return { message: 'The response for many is JSON, but not a batch.', remedy: SUPPORT_OR_ADDRESS };
  if (form === 'object' && !isRecord(content))
    return { message: 'The response for many is JSON, but not an object.', remedy: SUPPORT_OR_ADDRESS };
  if (form !== 'list') return undefined;
  if (Array.isArray(content))
    return rows.every((row) => readId(row) === undefined) && rows.length > 0
      ? { message: 'The response for many has rows without ids.', remedy: SUPPORT_OR_ADDRESS }
      : undefined;
  return { message: 'The response for many is JSON, but not a list.', remedy: SUPPORT_OR_ADDRESS };
}

/** One finding for all endpoints that can be read, and one for each kind of failure. */
function toPermissionFindings(outcomes: readonly EndpointCheck[]): Finding[] {
  const check = 'data.permissions';
  const readable = outcomes.filter(({ failure }) => failure === undefined).map(({ name }) => name);
  const failures = new Map<string, { failure: Failure; names: string[] }>();
  for (const { name, failure } of outcomes) {
    if (failure === undefined) continue;
    const existing = failures.get(failure.message);
    if (existing === undefined) failures.set(failure.message, { failure, names: [name] });
    else existing.names.push(name);
  }
  return [
    ...(readable.length === 0 ? [] : [ok(check, `Readable: ${readable.join(', ')}.`)]),
    ...[...failures.values()].map(({ failure: { message, remedy, isWarning = false }, names }) =>
      (isWarning ? warning : problem)(check, message.replace('many', names.join(', ')), remedy),
    ),
  ];
}

/** An account without data is valid, but usually the wrong account. */
function checkAccount(listed: readonly EndpointCheck[]): Finding[] {
  const main = listed.filter(({ name }) => name === 'sites' || name === 'devices' || name === 'streams');
  if (main.some(({ rows, failure }) => rows.length > 0 || failure !== undefined)) return [];
  const message = 'The account has no sites, devices and streams.';
  const remedy =
    'Check that the key belongs to the right account, and that the API client may see its sites.';
  return [warning('data.account', message, remedy)];
}

/** Warns of responses that took more than a third of the time that an attempt may take. */
export function checkDurations(
  outcomes: readonly Omit<EndpointCheck, 'rows'>[],
  attemptTimeoutMs: number,
): Finding[] {
  const slow = outcomes.filter(
    ({ durationMs, failure }) => durationMs > attemptTimeoutMs / 3 && failure === undefined,
  );
  if (slow.length === 0) return [];
  const seconds = (ms: number) => `${Number((ms / 1000).toFixed(1))} s`;
  const names = slow.map(({ name, durationMs }) => `${name} (${seconds(durationMs)})`);
  const message = `The platform responds slowly: ${names.join(', ')}. An attempt of the gateway ends after ${seconds(attemptTimeoutMs)}.`;
  return [warning('data.speed', message, SLOW)];
}

function checkQueue({ rows, failure }: EndpointCheck): Finding {
  const check = 'data.queue';
  if (failure !== undefined) return skipped(check, 'The queue of samples could not be read.');
  if (rows.some((row) => readId(row) !== undefined))
    return ok(check, 'The queue of samples was read and acknowledged before.');
  const remedy =
    'Subscriptions do not need it. A client that reads `sampleBatch` must call `acknowledgeSamples`, or it reads the same samples again.';
  return warning(check, 'The queue of samples was never acknowledged.', remedy);
}

const decodeBatch = createRowDecoder({ samples: 'other' });

/** The rows of a list or of a batch; one row for a single object. */
function readRows({ form }: Endpoint, response: TransportResponse): readonly unknown[] {
  const body = response.status === 200 ? parseIfJson(toText(response.body)) : undefined;
  if (body === undefined) return [];
  if (form === 'batch') return toBatchRows(body) ?? [];
  if (Array.isArray(body)) return body;
  const samples = decodeBatch(body)?.samples;
  return Array.isArray(samples) ? samples : [body];
}

/** Undefined if the gateway can't read the body as a batch. */
function toBatchRows(body: unknown): readonly unknown[] | undefined {
  try {
    return toBatch({ template: '' }, body).rows;
  } catch {
    return undefined;
  }
}
