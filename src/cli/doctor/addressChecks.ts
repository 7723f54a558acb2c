/** Checks of `fieldgraph doctor` on the way to the platform: proxies, encryption, and its address without a credential. */
import type { Config } from '../../config/config.js';
import { hasCode } from '../../errors.js';
import { parseIfJson, toRecord } from '../../lib/records.js';
import { type TransportResponse, toText } from '../../rest/transport/platformRequest.js';
import type { Transport } from '../../rest/transport/transport.js';
import { explainConnection } from './explainConnection.js';
import { isPage } from './explainTokenResponse.js';
import { type Finding, ok, problem, warning } from './report.js';

export const ADDRESS = 'platform.address';

export function checkProxies(variables: readonly string[]): Finding[] {
  if (variables.length === 0) return [];
  const message = `${variables.join(', ')} ${variables.length === 1 ? 'is' : 'are'} set, but the gateway always connects to the platform directly.`;
  return [
    warning('platform.proxy', message, 'Allow direct connections, or name a reverse proxy in PLATFORM_URL.'),
  ];
}

export function checkEncryption({ sendsClearText }: Pick<Config, 'sendsClearText'>): Finding[] {
  if (!sendsClearText) return [];
  const message = 'PLATFORM_URL is http: others in the network can read the credential and the data.';
  const remedy =
    'Use the https address of the platform, or name a proxy on this machine that connects with TLS.';
  return [warning('platform.tls', message, remedy)];
}

/** Sends one REST call without a credential, which the platform refuses. */
export async function checkAddress(url: string, transport: Transport): Promise<Finding> {
  return transport
    .send({ method: 'GET', path: '/v2.0/account/organization', headers: {} })
    .then((response) => judgeRefusal(response, new URL(url).host))
    .catch((error: unknown) => explainNoResponse(error, url));
}

export function explainNoResponse(error: unknown, url: string): Finding {
  if (hasCode(error, 'PLATFORM_BAD_RESPONSE') && error.cause === undefined) {
    const message = `${new URL(url).host} sends a response of more than 64 MB.`;
    return problem(ADDRESS, message, 'Set PLATFORM_URL to the address of the REST API, without /v2.0.');
  }
  return explainConnection(error, {
    ...{ setting: 'PLATFORM_URL', timeoutSetting: 'PLATFORM_TIMEOUT_SECONDS', url },
    ...{ check: ADDRESS, tlsCheck: 'platform.tls' },
  });
}

/** The platform's statuses for calls without a credential, and for too many calls. */
const REFUSALS = [400, 401, 403, 429];

function judgeRefusal(response: TransportResponse, host: string): Finding {
  const { status, body } = response;
  const isRest = typeof toRecord(parseIfJson(toText(body)))['message'] === 'string';
  if (isRest && REFUSALS.includes(status)) return ok(ADDRESS, `The REST API responds at ${host}.`);
  // 511 is the page of a network that requires a login.
  if (status >= 500 && !(isPage(response) && status === 511))
    return problem(
      ADDRESS,
      `${host} responds with status ${status}.`,
      'The platform is down. Try again later.',
    );
  return problem(
    ADDRESS,
    `${host} responds to a call without a credential with ${isPage(response) ? 'a web page, ' : ''}status ${status}; the REST API refuses it with 401 and a message in JSON.`,
    'Set PLATFORM_URL to the address of the REST API, without /v2.0 and without a path to a page. Check what is in between: a firewall, a proxy, a captive portal.',
  );
}
