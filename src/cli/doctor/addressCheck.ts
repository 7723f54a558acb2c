/** Check of `fieldgraph doctor` on the platform's address without a credential: callers bring their own. */
import { parseIfJson, toRecord } from '../../lib/records.js';
import { toText } from '../../rest/decode/text.js';
import type { TransportResponse } from '../../rest/transport/platformRequest.js';
import type { Transport } from '../../rest/transport/transport.js';
import { explainConnection } from './explainConnection.js';
import { type Finding, ok, problem, type Report, skipped } from './report.js';

const CHECK = 'platform.address';
const UNCHECKED = 'Callers bring their own credentials, so no credential and no data were checked.';

/** Sends one REST call, which the platform refuses. */
export async function checkAddress(
  url: string,
  transport: Transport,
): Promise<Report & { organizationIds: undefined }> {
  const finding = await transport
    .send({ method: 'GET', path: '/v2.0/account/organization', headers: {} })
    .then((response) => judge(response, new URL(url).host))
    .catch((error: unknown) =>
      explainConnection(error, { setting: 'PLATFORM_URL', url, check: CHECK, tlsCheck: 'platform.tls' }),
    );
  return {
    findings: [finding, skipped('platform.credential', UNCHECKED)],
    requests: { token: 0, rest: 1 },
    organizationIds: undefined,
  };
}

/** The platform's statuses for calls without a credential, and for too many calls. */
const REFUSALS = [400, 401, 403, 429];

function judge({ status, headers, body }: TransportResponse, host: string): Finding {
  const isRest = typeof toRecord(parseIfJson(toText(body)))['message'] === 'string';
  if (isRest && REFUSALS.includes(status)) return ok(CHECK, `The REST API answers at ${host}.`);
  if (status >= 500)
    return problem(CHECK, `${host} answers with status ${status}.`, 'The platform is down. Try again later.');
  const isPage = /html/i.test(String(headers['content-type'] ?? ''));
  return problem(
    CHECK,
    `${host} answers a call without a credential with ${isPage ? 'a web page, ' : ''}status ${status}; the REST API refuses it with 401.`,
    'Set PLATFORM_URL to the address of the REST API, without /v2.0 and without a path to a page. Check what is in between: a firewall, a proxy, a captive portal.',
  );
}
