/** Checks of `fieldgraph doctor` on the account's data: one call for each family of endpoints, at most twelve. */

import type { Clock } from '../../lib/clock.js';
import { isRecord } from '../../rest/decode/rowDecoder.js';
import { toText } from '../../rest/decode/text.js';
import type { TransportResponse } from '../../rest/transport/platformRequest.js';
import { type Finding, ok, problem, skipped, warning } from './report.js';

/** `path`: without `/v2.0`. Rejects without a response. */
type Read = (path: string) => Promise<TransportResponse>;

interface Outcome {
  name: string;
  finding: Finding;
  rows: readonly unknown[];
}

interface Endpoint {
  name: string;
  path: string;
  /** The account may lack it: RFID or images. */
  isOptional?: boolean;
}

/** The platform ends lists at this length. */
const MAX_LIST_LENGTH = 10_000;

const HEALTH = 'device health';

const QUEUES: readonly Endpoint[] = [
  { name: 'the queue of samples', path: '/sample/batch/status' },
  { name: 'the queue of RFID reads', path: '/sample/rfid/batch/status', isOptional: true },
];

/** `counterTypes`: the types of health counters that have a name. */
export async function checkData(read: Read, clock: Clock, counterTypes: ReadonlySet<number>) {
  const now = Math.floor(clock.now() / 1000);
  const lists: readonly Endpoint[] = [
    { name: 'organizations', path: '/account/organization' },
    { name: 'users', path: '/user' },
    { name: 'sites', path: '/site' },
    { name: 'devices', path: '/device' },
    { name: 'channels', path: '/channel' },
    { name: 'streams', path: '/stream' },
    { name: 'custom attributes', path: '/stream/customAttributes' },
    { name: 'images', path: `/sample/image/batch?sampleDate=${now}`, isOptional: true },
  ];
  const dates: number[] = [];
  const ask = (endpoint: Endpoint) => askEndpoint(endpoint, read, dates);
  const listed = await Promise.all(lists.map(ask));
  const idOf = (name: string) => readId(listed.find((outcome) => outcome.name === name)?.rows[0]);
  const [device, stream] = [idOf('devices'), idOf('streams')];
  const [queue, reads, ...details] = await Promise.all([
    ...QUEUES.map(ask),
    ...(stream === undefined ? [] : [ask({ name: 'thresholds', path: `/stream/${stream}/threshold` })]),
    ...(device === undefined ? [] : [ask({ name: HEALTH, path: `/device/${device}/lastHealth` })]),
  ]);
  const outcomes = [...listed, ...[queue, reads].filter((outcome) => outcome !== undefined), ...details];
  const organizations = listed.find(({ name }) => name === 'organizations');
  return {
    findings: [
      ...toPermissionFindings(outcomes),
      ...listed.flatMap(checkLength),
      ...(queue ? [checkQueue(queue)] : []),
      ...details
        .filter(({ name }) => name === HEALTH)
        .flatMap(({ rows }) => checkCounters(rows, counterTypes)),
    ],
    organizationIds:
      organizations?.finding.status === 'ok'
        ? new Set(organizations.rows.map(readId).filter((id) => id !== undefined))
        : undefined,
    dates,
  };
}

async function askEndpoint(endpoint: Endpoint, read: Read, dates: number[]): Promise<Outcome> {
  const { name } = endpoint;
  try {
    const response = await read(endpoint.path);
    const date = Date.parse(String(response.headers['date']));
    if (!Number.isNaN(date)) dates.push(date);
    return { name, finding: toFinding(endpoint, response), rows: readRows(response) };
  } catch {
    const remedy = 'Run the doctor again; if it stays, ask the support of the platform.';
    return { name, finding: problem('data.permissions', `No answer for ${name}.`, remedy), rows: [] };
  }
}

function toFinding({ name, isOptional = false }: Endpoint, response: TransportResponse): Finding {
  const check = 'data.permissions';
  const { status } = response;
  // Nothing was delivered yet, or there are no samples.
  if (status === 404) return ok(check, name);
  if (status === 401 || status === 403) {
    return isOptional
      ? warning(
          check,
          `The platform gives no ${name} to this API client.`,
          'Fields that show them will be null.',
        )
      : problem(
          check,
          `The API client may not read ${name} (status ${status}).`,
          'Ask the administrator of the account for the right.',
        );
  }
  if (status === 429) {
    return problem(
      check,
      `The quota of calls for ${name} is used up.`,
      'Find which programs poll with this key; a million calls in 15 minutes are allowed.',
    );
  }
  if (status !== 200) {
    return problem(
      check,
      `The platform answers ${name} with status ${status}.`,
      'Ask the support of the platform.',
    );
  }
  return isJson(toText(response.body))
    ? ok(check, name)
    : problem(
        check,
        `The platform answers ${name} with a body that is not JSON.`,
        'Check what stands between: a proxy, a portal.',
      );
}

/** All that may be read in one line, and a line for each that may not. */
function toPermissionFindings(outcomes: readonly Outcome[]): Finding[] {
  const readable = outcomes.filter(({ finding }) => finding.status === 'ok').map(({ name }) => name);
  const others = outcomes.map(({ finding }) => finding).filter(({ status }) => status !== 'ok');
  const all = readable.length === 0 ? [] : [ok('data.permissions', `Readable: ${readable.join(', ')}.`)];
  return [...all, ...others];
}

function checkLength({ name, rows }: Outcome): Finding[] {
  if (rows.length < MAX_LIST_LENGTH) return [];
  const message = `The list of all ${name} is cut off at ${MAX_LIST_LENGTH} items.`;
  return [
    warning(
      'data.lists',
      message,
      'The gateway reads the rest by site, with more calls. Filter by site where possible.',
    ),
  ];
}

function checkQueue({ rows, finding }: Outcome): Finding {
  const check = 'data.queue';
  if (finding.status !== 'ok') return skipped(check, 'The queue of samples could not be read.');
  return rows.length > 0
    ? ok(check, 'The queue of samples was read and acknowledged before.')
    : warning(
        check,
        'The queue of samples was never acknowledged.',
        'Subscriptions do not need it. A reader of `sampleBatch` has to call `acknowledgeSamples`, or it reads the same samples again.',
      );
}

/** The counters of one device stand for those of all. */
function checkCounters(rows: readonly unknown[], named: ReadonlySet<number>): Finding[] {
  const types = rows.map((row) => (isRecord(row) ? row['counter_type_id'] : undefined));
  const unnamed = [
    ...new Set(types.filter((type): type is number => typeof type === 'number' && !named.has(type))),
  ].sort((a, b) => a - b);
  if (unnamed.length === 0) return [];
  return [
    warning(
      'data.counters',
      `Types of health counters have no name: ${unnamed.join(', ')}.`,
      'Name them: HEALTH_COUNTERS=1=Battery:mV,4=Restarts. The documentation of the devices lists them.',
    ),
  ];
}

/** The rows of a list or of a batch; one row for a single object. */
function readRows(response: TransportResponse): readonly unknown[] {
  const text = toText(response.body);
  if (response.status !== 200 || !isJson(text)) return [];
  const body: unknown = JSON.parse(text);
  if (Array.isArray(body)) return body;
  const samples = isRecord(body) ? body['samples'] : undefined;
  return Array.isArray(samples) ? samples : [body];
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function readId(row: unknown): number | undefined {
  return isRecord(row) && typeof row['id'] === 'number' ? row['id'] : undefined;
}
