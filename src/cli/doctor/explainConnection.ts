/** Explains why a server gave no response: one finding with its remedy, from the error. Pure. */
import { hasCode } from '../../errors.js';
import { codeOf } from '../../lib/errorMessage.js';
import { type Finding, problem } from './report.js';

interface ConnectionTarget {
  /** The name of the setting with the address. */
  setting: string;
  /** The name of the setting with the time in which the server must respond. */
  timeoutSetting?: string;
  url: string;
  /** The finding's check. */
  check: string;
  /** The check for problems of TLS; `check` by default. */
  tlsCheck?: string;
}

interface Cause {
  codes: RegExp;
  message: string;
  /** SETTING, plain:// and tls:// stand for the setting and the two schemes of its addresses. */
  remedy: string;
}

const OWN_AUTHORITY = 'NODE_EXTRA_CA_CERTS=/path/to/ca.pem';
const FIREWALL = 'Check the address, and whether a firewall or a missing proxy stops direct connections.';

/** The first entry whose codes match applies. */
const tlsCauses: readonly Cause[] = [
  {
    codes: /^CERT_HAS_EXPIRED$/,
    message: 'The certificate has expired.',
    remedy: "Renew the server's certificate, or correct this machine's clock.",
  },
  {
    codes: /^CERT_NOT_YET_VALID$/,
    message: 'The certificate is not yet valid.',
    remedy: "Correct this machine's clock, or replace the server's certificate.",
  },
  {
    codes: /^ERR_TLS_CERT_ALTNAME_INVALID$/,
    message: 'The certificate is for another host name.',
    remedy: 'Use the host name of the certificate in SETTING.',
  },
  {
    codes: /^DEPTH_ZERO_SELF_SIGNED_CERT$/,
    message: 'The certificate is self-signed and not trusted.',
    remedy: 'Name it in NODE_EXTRA_CA_CERTS=/path/to/certificate.pem.',
  },
  {
    // The errors of OpenSSL without a name: CA_MD_TOO_WEAK, EE_KEY_TOO_SMALL.
    codes: /^UNSPECIFIED$/,
    message: 'The certificate is too weak, such as one that is signed with SHA-1.',
    remedy: "Replace the server's certificate with one that uses SHA-256 and a key of at least 2048 bits.",
  },
  {
    codes: /^UNABLE_TO_/,
    message: 'The certificate is not trusted: its issuer is unknown.',
    remedy: `Let the server send its intermediate certificates too. If you use your own certificate authority, name it in ${OWN_AUTHORITY}.`,
  },
  {
    codes: /CERTIFICATE_REQUIRED/,
    message: 'The server requires a client certificate, which the gateway does not have.',
    remedy: 'Let the server accept connections without one, or connect through a reverse proxy that has one.',
  },
  {
    codes: /(_CERT|CERT_|_SIGNATURE|ISSUER)/,
    message: 'The certificate is not trusted.',
    remedy: `Name the certificate authority in ${OWN_AUTHORITY}.`,
  },
  {
    codes: /(PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL|NO_PROTOCOLS)/,
    message: "The server's version of TLS is too old.",
    remedy: 'Enable TLS 1.2 or later at the server.',
  },
  {
    codes: /(_ALERT_|UNRECOGNIZED_NAME|HANDSHAKE_FAILURE)/,
    message: 'The server refuses the TLS handshake.',
    remedy:
      'Check the host name in SETTING, whether the server requires a client certificate, and its ciphers.',
  },
  {
    codes: /(SSL|TLS|EPROTO)/,
    message: 'The address does not speak TLS.',
    remedy: 'Use plain:// instead of tls:// in SETTING, or the port that serves TLS.',
  },
];

const otherCauses: readonly Cause[] = [
  {
    codes: /^(ENOTFOUND|EAI_AGAIN)$/,
    message: "The host name can't be resolved.",
    remedy: 'Check the spelling of SETTING, and DNS on this machine.',
  },
  {
    codes: /^ECONNREFUSED$/,
    message: 'Nothing listens at this address.',
    remedy: 'Check host and port of SETTING, and whether the server runs.',
  },
  {
    codes: /^(NO_HTTP|HPE_INVALID_CONSTANT)$/,
    message: 'The address does not speak HTTP.',
    remedy: 'Use another port in SETTING, or tls:// if this port uses TLS.',
  },
  {
    codes: /^(INVALID_HTTP|HPE_.*)$/,
    message: 'The response is not valid HTTP.',
    remedy: 'Check what is between the gateway and the server, such as a proxy that writes wrong headers.',
  },
  {
    codes: /^BAD_PORT$/,
    message: 'Node.js sends no requests to this port.',
    remedy: 'Use another port in SETTING.',
  },
  {
    codes: /^(Z_.*|ERR__.*|ERR_BROTLI.*)$/,
    message: "The response can't be decompressed.",
    remedy: 'Check what is between the gateway and the server, such as a proxy that changes responses.',
  },
  {
    codes: /^UND_ERR_HEADERS_OVERFLOW$/,
    message: 'The headers of the response are too long.',
    remedy: 'Check what is between the gateway and the server, such as a proxy that adds headers.',
  },
  {
    codes: /^INCOMPLETE_BODY$/,
    message: 'The connection ended before the response was complete.',
    remedy:
      'Run `fieldgraph doctor` again, and check what is between the gateway and the server, such as a proxy.',
  },
  {
    codes: /^UNFINISHED_BODY$/,
    message: 'The response began, but did not end in time.',
    remedy: 'Check what is between the gateway and the server, such as a proxy that buffers responses.',
  },
  {
    codes: /^(UND_ERR_CONNECT_TIMEOUT|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENETDOWN)$/,
    message: 'The host does not respond.',
    remedy: FIREWALL,
  },
];

/** Error codes of requests that timed out while they waited for the response. */
const TIMEOUT = /^(ECONNABORTED|ERR_CANCELED|UND_ERR_(HEADERS|BODY)_TIMEOUT|UND_ERR_ABORTED)$/;

export function explainConnection(error: unknown, target: ConnectionTarget): Finding {
  const { url, check, tlsCheck = check, timeoutSetting } = target;
  const { host, protocol } = new URL(url);
  const isTls = /^(https|rediss):$/.test(protocol);
  const code = findCode(error);
  const find = (message: string, remedy: string, name = check) =>
    problem(name, `${host}: ${message}`, fillIn(remedy, target));
  const matches = ({ codes }: Cause) => code !== undefined && codes.test(code);
  const tlsCause = tlsCauses.find(matches);
  const cause = tlsCause ?? otherCauses.find(matches);
  if (cause) return find(`${cause.message} (${code})`, cause.remedy, tlsCause ? tlsCheck : check);
  if (code === undefined || TIMEOUT.test(code)) {
    const other = isTls ? ' If the server does not use TLS, use plain:// instead of tls://.' : '';
    const slow = timeoutSetting ? ` If the server is only slow, raise ${timeoutSetting}.` : '';
    const remedy = `Check host and port of SETTING, and whether a firewall stops connections.${slow}${other}`;
    return find('The server does not respond in time.', remedy);
  }
  const why = isTls
    ? 'The server may require a client certificate, which the gateway does not have. If it does not use TLS, use plain:// in SETTING.'
    : 'If the port serves TLS, use tls:// in SETTING.';
  return find(`The server closed the connection (${code}).`, `${why} ${FIREWALL}`);
}

function fillIn(remedy: string, { setting, url }: ConnectionTarget): string {
  const plain = url.startsWith('redis') ? 'redis' : 'http';
  return remedy.replace('SETTING', setting).replace('plain:', `${plain}:`).replace('tls:', `${plain}s:`);
}

/** The code of the error, or of its nearest cause that has one. Skips the codes of gateway errors. */
export function findCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  // The error of `fetch` for ports that it refuses.
  if (error.message === 'bad port') return 'BAD_PORT';
  return findCode(error.cause) ?? (error.name === 'GatewayError' ? undefined : codeOf(error));
}

/** For a request to the platform without a usable response. */
export function explainNoResponse(error: unknown, url: string): Finding {
  if (hasCode(error, 'PLATFORM_BAD_RESPONSE') && error.cause === undefined) {
    const message = `${new URL(url).host} sends a response of more than 64 MB.`;
    const remedy = 'Set PLATFORM_URL to the address of the REST API, without /v2.0.';
    return problem('platform.address', message, remedy);
  }
  return explainConnection(error, {
    setting: 'PLATFORM_URL',
    timeoutSetting: 'PLATFORM_TIMEOUT_SECONDS',
    url,
    check: 'platform.address',
    tlsCheck: 'platform.tls',
  });
}
