/** Explains why a response of the token endpoint has no usable token, or why none was requested. Pure. */
import type { GatewayError } from '../../errors.js';
import { parseIfJson, toRecord } from '../../lib/records.js';
import { MAX_TOKEN_LENGTH } from '../../rest/auth/tokenRenewal.js';
import { readLifetime } from '../../rest/auth/tokenSchedule.js';
import { retryAfterMs } from '../../rest/decode/responseErrors.js';
import { TOKEN_PATH } from '../../rest/path.js';
import { type TransportResponse, toText } from '../../rest/transport/platformRequest.js';
import { type Finding, problem, skipped, warning } from './report.js';

interface ResponseContext {
  url: string;
  credential: {
    key: string;
    secret: string;
    /** The settings that contain them. */
    settingNames?: { key: string; secret: string };
  };
  nowMs: number;
}

const ADDRESS =
  'Set PLATFORM_URL to the address of the REST API, without /v2.0 and without a path to a page.';
const CHECK_NETWORK =
  'Check what is between the gateway and the platform: a firewall, a proxy, a captive portal.';
export const ADDRESS_OR_NETWORK = `${ADDRESS} ${CHECK_NETWORK}`;
const SAME_ADDRESS =
  'Check what is between the gateway and the platform, such as a proxy that connects with http to a server that requires https.';

/** Remedies by HTTP status, for web pages that arrive instead of a token. */
const pageRemedies: Readonly<Record<number, string>> = {
  // Web servers send 400 for http on an https port, and if the client certificate is missing.
  400: 'Use https:// in PLATFORM_URL if it has http://, and check whether the server requires a client certificate.',
  403: CHECK_NETWORK,
  // A network that requires a login.
  511: CHECK_NETWORK,
};

/** Whether a response is a web page, which the platform does not send. */
export const isPage = ({ headers }: Pick<TransportResponse, 'headers'>): boolean =>
  /html/i.test(String(headers['content-type'] ?? ''));

/** Explains a response of the token endpoint that contains no usable token. */
export function explainTokenResponse(response: TransportResponse, context: ResponseContext): Finding {
  const { status, headers } = response;
  const { host } = new URL(context.url);
  const atAddress = (message: string, remedy: string) =>
    problem('platform.address', `${host} ${message}`, remedy);
  if (status === 407) return atAddress('is a proxy that requires a login (status 407).', ADDRESS_OR_NETWORK);
  const pageRemedy = isPage(response) ? pageRemedies[status] : undefined;
  if (pageRemedy !== undefined) return atAddress(`responds with a web page (status ${status}).`, pageRemedy);
  if (status === 401 || status === 400 || status === 403) return explainRefusal(response, context.credential);
  if (status === 429)
    return explainUsedRequests(Math.ceil((retryAfterMs(headers, context.nowMs) ?? 0) / 1000));
  if (status >= 500)
    return atAddress(`responds with status ${status}.`, 'The platform is down. Try again later.');
  if (status >= 300 && status < 400)
    return atAddress(...explainRedirect(headers['location'], new URL(context.url + TOKEN_PATH)));
  if (isPage(response) || /^\s*</.test(toText(response.body)))
    return atAddress('responds with a web page.', ADDRESS_OR_NETWORK);
  if (status >= 400) return atAddress(`has no token endpoint (status ${status}).`, ADDRESS);
  return explainSuccess(response, context, atAddress);
}

/**
 * Explains why no token request was sent: according to the state in Redis, earlier ones failed or used up the budget. A
 * request of the doctor would count against the same limit.
 */
export function explainBlockedRequest(error: GatewayError, context: ResponseContext): Finding[] {
  const seconds = Math.ceil((error.retryAfterMs ?? 0) / 1000);
  const next = seconds === 0 ? '' : `, and the next one is allowed in ${seconds} s`;
  const message = `No token was requested now: Redis has the state of an earlier request${next}.`;
  return [explainEarlierRequest(error, seconds, context), skipped('platform.token', message)];
}

function explainEarlierRequest(
  { code, message, platform }: GatewayError,
  seconds: number,
  context: ResponseContext,
): Finding {
  if (platform !== undefined) {
    const headers = { 'retry-after': String(seconds) };
    return explainTokenResponse({ status: platform.status, headers, body: Buffer.alloc(0) }, context);
  }
  if (code === 'PLATFORM_RATE_LIMITED') return explainUsedRequests(seconds);
  const text = `${new URL(context.url).host}: an earlier token request failed. ${message}`;
  const remedy = 'Run `fieldgraph doctor` without REDIS_URL for the reason, which takes one token request.';
  return problem('platform.address', text, remedy);
}

function explainRedirect(location: unknown, requested: URL): [message: string, remedy: string] {
  const target =
    typeof location === 'string' && URL.canParse(location, requested.href)
      ? new URL(location, requested)
      : undefined;
  // A server that requires https, behind a proxy that connects to it with http.
  if (target?.origin === requested.origin && target.pathname === requested.pathname)
    return ['redirects to the same address, so no token can be requested.', SAME_ADDRESS];
  const to = target === undefined ? '' : ` to ${target.host}`;
  const message = `redirects${to}; the gateway follows no redirects.`;
  if (!target?.pathname.endsWith(TOKEN_PATH)) return [message, CHECK_NETWORK];
  // Often the same host with https.
  return [message, `Set PLATFORM_URL to ${target.origin}${target.pathname.slice(0, -TOKEN_PATH.length)}.`];
}

/** Explains a successful response that contains no token that the gateway can use. */
function explainSuccess(
  response: TransportResponse,
  { credential }: ResponseContext,
  atAddress: (message: string, remedy: string) => Finding,
): Finding {
  const { status, body } = response;
  const text = toText(body);
  const content = parseIfJson(text);
  const fields = toRecord(content);
  if (typeof fields['error'] === 'string') return explainRefusal(response, credential);
  const remedy = "Ask the platform's support, and check that PLATFORM_URL is its address.";
  const token = fields['access_token'] ?? '';
  if (token !== '' && status === 200) {
    return problem('platform.token', `The token ${findTokenProblem(token)}.`, remedy);
  }
  if (content === undefined && text !== '' && status === 200) {
    const message = 'responds to a token request with text that is not JSON, or is incomplete.';
    return atAddress(message, ADDRESS_OR_NETWORK);
  }
  return status === 200
    ? atAddress('responds to a token request without a token.', ADDRESS)
    : atAddress(`responds to a token request with status ${status} instead of 200.`, ADDRESS);
}

function findTokenProblem(token: unknown): string {
  if (typeof token !== 'string') return 'is not a string';
  return token.length > MAX_TOKEN_LENGTH
    ? `has more than ${MAX_TOKEN_LENGTH} characters`
    : 'contains white space, or characters that an HTTP header cannot contain';
}

/** `seconds`: until the next request is allowed; 0 if that is not certain. */
function explainUsedRequests(seconds: number): Finding {
  const until = seconds === 0 ? '' : ` for ${seconds} s`;
  const message = `The platform accepts no token request${until}: all 15 requests allowed in 15 minutes are used up.`;
  const remedy =
    'Wait, and find out what requests tokens: other programs with this key, or restarts without REDIS_URL.';
  return problem('platform.tokens', message, remedy);
}

/** The gateway renews a token before its end, and not sooner than after 100 s. */
const MIN_LIFETIME_SECONDS = 160;
const MAX_SHOWN_CHARACTERS = 12;

/** Checks the lifetime of a token that was issued. Usually returns no findings. */
export function checkLifetime({ body }: TransportResponse): Finding[] {
  const { expires_in: expiresIn } = toRecord(parseIfJson(toText(body)));
  const seconds = readLifetime(expiresIn);
  const check = 'platform.token';
  const remedy = "Ask the platform's support for the lifetime of tokens; 3600 s is usual.";
  if (seconds === undefined) {
    const text = JSON.stringify(expiresIn) ?? 'absent';
    const shown = text.length > MAX_SHOWN_CHARACTERS ? '…' : text;
    const message = `The lifetime of the token is not a positive number (expires_in: ${shown}); the gateway uses the token for an hour.`;
    return [warning(check, message, remedy)];
  }
  if (seconds >= MIN_LIFETIME_SECONDS) return [];
  const message = `The token is valid for only ${seconds} s: 15 token requests in 15 minutes will not be enough.`;
  return [warning(check, message, remedy)];
}

/** A message such as "Invalid or expired credentials" is not certain. */
const ABOUT_STATE =
  /^(?!.*\b(?:or|invalid|secret|password)\b).*\b(?:disabled|deactivated|inactive|suspended|blocked|locked|revoked|expired)\b/is;
/** Messages such as "Client authentication failed" or "Invalid client" can mean either, or that the client is disabled. */
const ABOUT_KEY = /\bkey\b|^unknown (client|user)\b|^(client|user) (is )?(unknown|not found)\b/i;
const ABOUT_ADDRESS = /\bIP\b|\b(allow|white)-?list/i;
const ABOUT_SECRET = /\b(secret|password)\b/i;
/** For example "Invalid credentials for key abc", which names the key although the secret may be wrong. */
const ABOUT_BOTH = /\bcredentials?\b/i;

/** The platform rarely says which of the two is wrong, so their format is checked as well. */
function explainRefusal(response: TransportResponse, credential: ResponseContext['credential']): Finding {
  const { status, body } = response;
  const fields = toRecord(parseIfJson(toText(body)));
  if (fields['error'] === 'unsupported_grant_type') {
    const message = 'The token endpoint issues no tokens for a key and a secret.';
    return problem('platform.address', message, ADDRESS);
  }
  const settings = credential.settingNames ?? { key: 'PLATFORM_KEY', secret: 'PLATFORM_SECRET' };
  const suspect = findSuspect(credential, settings.key);
  if (suspect) {
    const { name, why } = suspect;
    const setting = settings[name];
    const message = `The platform refuses the credential: ${setting} ${why}`;
    return problem(`platform.${name}`, message, `Correct ${setting}.`);
  }
  const text = fields['message'] ?? fields['error_description'];
  const said = typeof text === 'string' ? text : '';
  if (ABOUT_ADDRESS.test(said)) {
    const message = `The platform refuses requests from the address of this machine (status ${status}).`;
    const remedy =
      'Ask the administrator of the account to allow the address from which this machine reaches the platform.';
    return problem('platform.address', message, remedy);
  }
  if (ABOUT_STATE.test(said)) {
    const message = `The platform says that the API client, its key or its account is not active (status ${status}).`;
    const remedy =
      'Ask the administrator of the account to activate it, or use the key of another API client.';
    return problem('platform.credential', message, remedy);
  }
  const isOnlyAbout = (pattern: RegExp, other: RegExp) =>
    pattern.test(said) && !other.test(said) && !ABOUT_BOTH.test(said);
  if (isOnlyAbout(ABOUT_KEY, ABOUT_SECRET))
    return problem('platform.key', 'The platform does not know the key.', `Correct ${settings.key}.`);
  if (isOnlyAbout(ABOUT_SECRET, ABOUT_KEY))
    return problem('platform.secret', 'The platform refuses the secret.', `Correct ${settings.secret}.`);
  const message = `The platform refuses the credential (status ${status}); it does not say whether the key or the secret is wrong.`;
  const page = ' The response is a web page, so a proxy or a captive portal may have refused the request.';
  const remedy = `Check ${settings.key} and ${settings.secret}: copy both from the platform again, and make sure that they are not swapped.${isPage(response) ? page : ''}`;
  return problem('platform.credential', message, remedy);
}

/** Forms that no key or secret has. */
const suspectForms: readonly [form: RegExp, why: string][] = [
  [/^["'].*["']$/s, 'has quotation marks around it.'],
  [/^\{/, 'is JSON; only the value belongs there.'],
  [/^\w*(key|secret|password)\w* ?[=:]/i, 'begins with a name; only the value belongs there.'],
  [/[\0\ufffd]/, 'is not in UTF-8; save the file in this encoding.'],
  [/\s/, 'contains white space.'],
  [/[^\x20-\x7e]/, 'has a character that is not ASCII, such as a typographic dash.'],
  [/^[<$]|^(change[-_ ]?me|x{3,}|\*{3,}|todo|your[-_].*)$/i, 'is a placeholder.'],
  [
    /^\.{0,2}\/(run|var|etc|opt|home|mnt|tmp|secrets|vault)\//,
    'is the path of a file, which belongs in the setting that ends with _FILE.',
  ],
];

function findSuspect(credential: ResponseContext['credential'], keySetting: string) {
  if (credential.key === credential.secret)
    return { name: 'secret' as const, why: `is the same as ${keySetting}.` };
  for (const name of ['key', 'secret'] as const) {
    const [, why] = suspectForms.find(([form]) => form.test(credential[name])) ?? [];
    if (why !== undefined) return { name, why };
  }
  return credential.key.includes(':') ? { name: 'key' as const, why: 'contains a colon.' } : undefined;
}
