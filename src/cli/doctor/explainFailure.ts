/** Explains why the platform gave no token: one finding with its remedy, from the error or the response. Pure. */

import { isRecord } from '../../lib/records.js';
import { toText } from '../../rest/decode/text.js';
import type { TransportResponse } from '../../rest/transport/platformRequest.js';
import { type Finding, problem } from './report.js';

interface Cause {
  codes: RegExp;
  check: string;
  message: string;
  remedy: string;
}

/** Error codes of requests that timed out while they waited for the response. */
const TIMEOUT = /^(ECONNABORTED|ERR_CANCELED|UND_ERR_(HEADERS|BODY)_TIMEOUT|UND_ERR_ABORTED)$/;

const TLS_PORT = 'A port that serves TLS closes connections without: use https:// in PLATFORM_URL.';
const FIREWALL = 'Check the address, and whether a firewall or a missing proxy stops direct connections.';

/** The first whose codes match applies. */
const causes: readonly Cause[] = [
  {
    codes: /^(ENOTFOUND|EAI_AGAIN)$/,
    check: 'platform.address',
    message: "The host name can't be resolved.",
    remedy: 'Check the spelling of PLATFORM_URL, and DNS on this machine.',
  },
  {
    codes: /^ECONNREFUSED$/,
    check: 'platform.address',
    message: 'Nothing listens at this address.',
    remedy: 'Check host and port of PLATFORM_URL.',
  },
  {
    codes: /^(CERT_HAS_EXPIRED|CERT_NOT_YET_VALID)$/,
    check: 'platform.tls',
    message: 'The certificate is expired or not yet valid.',
    remedy: "Renew the platform's certificate, or correct this machine's clock.",
  },
  {
    codes: /^ERR_TLS_CERT_ALTNAME_INVALID$/,
    check: 'platform.tls',
    message: 'The certificate is for another host name.',
    remedy: 'Use the host name of the certificate in PLATFORM_URL.',
  },
  {
    codes: /(_CERT|CERT_|_SIGNATURE|ISSUER)/,
    check: 'platform.tls',
    message: 'The certificate is not trusted.',
    remedy: 'Name the certificate authority in NODE_EXTRA_CA_CERTS=/path/to/ca.pem.',
  },
  {
    codes: /(SSL|TLS|EPROTO)/,
    check: 'platform.tls',
    message: 'The address does not speak TLS.',
    remedy: 'Use http:// instead of https:// in PLATFORM_URL, or the port that serves TLS.',
  },
  {
    codes: /^(NO_HTTP|HPE_.*)$/,
    check: 'platform.address',
    message: 'The address does not speak HTTP.',
    remedy: 'Use https:// instead of http:// in PLATFORM_URL, or another port.',
  },
  {
    codes: /^(UND_ERR_CONNECT_TIMEOUT|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENETDOWN)$/,
    check: 'platform.address',
    message: 'The host does not answer.',
    remedy: FIREWALL,
  },
];

/** For a request without a response. */
export function explainConnection(error: unknown, url: string): Finding {
  const code = findCode(error);
  const { host } = new URL(url);
  const cause = causes.find(({ codes }) => code !== undefined && codes.test(code));
  if (cause) return problem(cause.check, `${host}: ${cause.message} (${code})`, cause.remedy);
  if (code === undefined || TIMEOUT.test(code)) {
    const message = `${host} accepts the connection and does not answer in time.`;
    return problem('platform.address', message, 'Try again later, or ask the support of the platform.');
  }
  const remedy = url.startsWith('http:') ? `${TLS_PORT} ${FIREWALL}` : FIREWALL;
  return problem('platform.address', `${host} closed the connection (${code}).`, remedy);
}

/** The code of the error or of its nearest cause that has one. Codes of gateway errors are no system errors. */
function findCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error.cause !== undefined) return findCode(error.cause) ?? ownCode(error);
  return ownCode(error);
}

function ownCode(error: Error): string | undefined {
  return 'code' in error && typeof error.code === 'string' && error.name !== 'GatewayError'
    ? error.code
    : undefined;
}

/** For a response of the token endpoint that contains no token. */
export function explainStatus(
  response: TransportResponse,
  url: string,
  credential: { key: string; secret: string },
): Finding {
  const { status, headers } = response;
  const { host } = new URL(url);
  const looksLikePage = /html/i.test(String(headers['content-type'] ?? ''));
  if (status === 403 && looksLikePage) {
    const message = `${host} answers with a web page (status 403).`;
    return problem('platform.address', message, 'Check what stands between: a firewall, a proxy, a portal.');
  }
  if (status === 401 || status === 400 || status === 403) return explainRefusal(response, credential);
  if (status === 429) {
    const wait = headers['retry-after'];
    const until = typeof wait === 'string' ? ` for ${wait} s` : '';
    return problem(
      'platform.tokens',
      `The platform accepts no token request${until}: the 15 of 15 minutes are used up.`,
      'Wait, and find what requests tokens: other programs with this key, or restarts without REDIS_URL.',
    );
  }
  if (status >= 500) {
    return problem(
      'platform.address',
      `${host} answers with status ${status}.`,
      'The platform is down. Try again later.',
    );
  }
  if (status >= 300 && status < 400) {
    const target = readHost(headers['location'], url);
    return problem(
      'platform.address',
      `${host} redirects${target === undefined ? '' : ` to ${target}`}; the gateway follows no redirects.`,
      'Set PLATFORM_URL to the address that it redirects to.',
    );
  }
  const remedy =
    'Set PLATFORM_URL to the address of the REST API, without /v2.0 and without a path to a page.';
  if (looksLikePage) return problem('platform.address', `${host} answers with a web page.`, remedy);
  return status === 200
    ? problem('platform.address', `${host} answers a token request without a token.`, remedy)
    : problem('platform.address', `${host} has no token endpoint (status ${status}).`, remedy);
}

/** The platform rarely says which of both is wrong, so their form is looked at, too. */
function explainRefusal(
  { status, body }: TransportResponse,
  { key, secret }: { key: string; secret: string },
): Finding {
  const said = readMessage(toText(body));
  const remedies = {
    key: 'Correct PLATFORM_KEY.',
    secret: 'Correct PLATFORM_SECRET.',
    both: 'Check PLATFORM_KEY and PLATFORM_SECRET: copy both anew from the platform.',
  };
  const blames = (pattern: RegExp, other: RegExp) => pattern.test(said) && !other.test(said);
  const [aboutKey, aboutSecret] = [/\b(key|client|user)\b/i, /\b(secret|password)\b/i];
  const suspect = findSuspect({ key, secret });
  if (suspect)
    return problem(
      `platform.${suspect.name}`,
      `The platform refuses the credential: ${suspect.why}`,
      remedies[suspect.name],
    );
  if (blames(aboutKey, aboutSecret))
    return problem('platform.key', 'The platform does not know the key.', remedies.key);
  if (blames(aboutSecret, aboutKey))
    return problem('platform.secret', 'The platform refuses the secret.', remedies.secret);
  return problem(
    'platform.credential',
    `The platform refuses the credential (status ${status}); it does not say whether the key or the secret is wrong.`,
    remedies.both,
  );
}

/** A form that no key or secret has. */
function findSuspect(credential: { key: string; secret: string }) {
  if (credential.key === credential.secret) {
    return { name: 'secret' as const, why: 'PLATFORM_KEY and PLATFORM_SECRET are the same.' };
  }
  for (const name of ['key', 'secret'] as const) {
    const variable = `PLATFORM_${name.toUpperCase()}`;
    if (/^["'].*["']$/.test(credential[name]))
      return { name, why: `${variable} has quotation marks around it.` };
    if (/\s/.test(credential[name])) return { name, why: `${variable} contains white space.` };
    if (/[^\x20-\x7e]/.test(credential[name]))
      return { name, why: `${variable} has a character that is not ASCII, such as a typographic dash.` };
    if (/^[<$]/.test(credential[name])) return { name, why: `${variable} is a placeholder.` };
  }
  return credential.key.includes(':')
    ? { name: 'key' as const, why: 'PLATFORM_KEY contains a colon.' }
    : undefined;
}

function readMessage(text: string): string {
  try {
    const body: unknown = JSON.parse(text);
    return isRecord(body) && typeof body['message'] === 'string' ? body['message'] : '';
  } catch {
    return '';
  }
}

function readHost(location: unknown, base: string): string | undefined {
  return typeof location === 'string' && URL.canParse(location, base)
    ? new URL(location, base).host
    : undefined;
}
