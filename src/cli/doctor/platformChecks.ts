/**
 * Checks of `fieldgraph doctor` on the platform: address, TLS, credential, clock, permissions, list limits, queues. They
 * send at most one token request and twelve REST calls.
 */
import { createCredentialScope } from '../../cache/cacheKey.js';
import { RedisConnection } from '../../cache/redis/redisConnection.js';
import { createRedisTokenStore } from '../../cache/redis/redisTokenStore.js';
import type { Config } from '../../config/config.js';
import { GatewayError } from '../../errors.js';
import type { Clock } from '../../lib/clock.js';
import { silentLogger } from '../../lib/logger.js';
import { parseIfJson, toRecord } from '../../lib/records.js';
import { createTokenManager } from '../../rest/auth/tokenManager.js';
import { requestToken } from '../../rest/auth/tokenRenewal.js';
import {
  type TransportRequest,
  type TransportResponse,
  toText,
} from '../../rest/transport/platformRequest.js';
import { createTransport, type Transport } from '../../rest/transport/transport.js';
import { checkData } from './dataChecks.js';
import { explainNoResponse } from './explainConnection.js';
import {
  ADDRESS_OR_NETWORK,
  checkLifetime,
  explainBlockedRequest,
  explainTokenResponse,
  isPage,
} from './explainTokenResponse.js';
import { checkEncryption, checkProxies, checkSandbox } from './processChecks.js';
import { type Finding, ok, problem, type Report, skipped, warning } from './report.js';

interface PlatformExamination extends Report {
  /** Undefined if they could not be read. */
  organizationIds: ReadonlySet<number> | undefined;
}

const ADDRESS = 'platform.address';
type RemotePlatform = Extract<Config['platform'], { kind: 'remote' }>;

const MAX_CLOCK_SKEW_MS = 30_000;
const REDIS_DEADLINES = { commandDeadlineMs: 2000, connectTimeoutMs: 2000 };

/** `proxyVariables`: names of set environment variables that name a proxy. */
export async function runPlatformChecks(
  config: Config,
  proxyVariables: readonly string[],
  clock: Clock,
): Promise<PlatformExamination> {
  const { platform } = config;
  if (platform.kind === 'sandbox') {
    const message = 'PLATFORM_URL is not set: the gateway starts the sandbox and serves generated data.';
    const reason = 'The sandbox starts with the gateway, so its data was not checked.';
    const findings = [
      ok(ADDRESS, message),
      ...(await checkSandbox(config)),
      skipped('data.permissions', reason),
    ];
    return { findings, requests: { token: 0, rest: 0 }, organizationIds: undefined };
  }
  const environment = [...checkProxies(proxyVariables), ...checkEncryption(config)];
  const transport = createTransport({ baseUrl: platform.url, timeoutMs: config.resilience.attemptTimeoutMs });
  try {
    const result =
      config.callerAuth.kind === 'platform'
        ? await examineAddress(platform.url, transport)
        : await new PlatformExaminer(platform, transport, clock).run(config);
    return { ...result, findings: [...environment, ...result.findings] };
  } finally {
    transport.close();
  }
}

/** For callers that send their own credentials. */
async function examineAddress(url: string, transport: Transport): Promise<PlatformExamination> {
  return {
    findings: [
      await checkAddress(url, transport),
      skipped('platform.credential', 'Callers send their own platform credentials, so none was checked.'),
      skipped('data.permissions', 'The data was not checked, because there is no credential.'),
    ],
    requests: { token: 0, rest: 1 },
    organizationIds: undefined,
  };
}

/** Sends one REST call without a credential, which the platform refuses. */
async function checkAddress(url: string, transport: Transport): Promise<Finding> {
  return transport
    .send({ method: 'GET', path: '/v2.0/account/organization', headers: {} })
    .then((response) => judgeRefusal(response, new URL(url).host))
    .catch((error: unknown) => explainNoResponse(error, url));
}

/** The platform's statuses for calls without a credential, and for too many calls. */
const REFUSALS = [400, 401, 403, 429];

function judgeRefusal(response: TransportResponse, host: string): Finding {
  const { status, body } = response;
  const isRest = typeof toRecord(parseIfJson(toText(body)))['message'] === 'string';
  if (isRest && REFUSALS.includes(status)) return ok(ADDRESS, `The REST API responds at ${host}.`);
  // Status 511 comes with the login page of a network.
  if (status >= 500 && !(isPage(response) && status === 511)) {
    const message = `${host} responds with status ${status}.`;
    return problem(ADDRESS, message, 'The platform is down. Try again later.');
  }
  const message = `${host} responds to a call without a credential with ${isPage(response) ? 'a web page, ' : ''}status ${status}; the REST API refuses it with 401 and a message in JSON.`;
  return problem(ADDRESS, message, ADDRESS_OR_NETWORK);
}

class PlatformExaminer {
  readonly #platform: RemotePlatform;
  readonly #transport: Transport;
  readonly #clock: Clock;
  readonly #requests = { token: 0, rest: 0 };
  /** The response of the token endpoint, whatever its status. */
  #tokenResponse: TransportResponse | undefined;
  /** Why the token endpoint gave no response. The errors of the token manager do not contain the reason. */
  #connectionError: unknown;
  /** The platform's time, from the first response that has one. */
  #platformMs: number | undefined;
  /** REST calls that got a response. */
  #responses = 0;
  /** The statuses of the responses with 401 or 403. */
  readonly #refusals: number[] = [];

  constructor(platform: RemotePlatform, transport: Transport, clock: Clock) {
    this.#platform = platform;
    this.#transport = transport;
    this.#clock = clock;
  }

  async run(config: Config): Promise<PlatformExamination> {
    const done = (findings: readonly Finding[], organizationIds?: ReadonlySet<number>) => ({
      findings,
      requests: this.#requests,
      organizationIds,
    });
    const sentAtMs = this.#clock.now();
    const { token, remaining, error } = await this.#getToken(config.redisUrl);
    if (token === undefined) {
      const message = 'The data was not checked, because no token was issued.';
      return done([...this.#explainToken(error), skipped('data.permissions', message)]);
    }
    const read = (path: string) => this.#read(path, token);
    const { findings, organizationIds } = await checkData(read, this.#clock, config);
    const isFromRedis = this.#requests.token === 0;
    if (isFromRedis && this.#responses === 0) {
      const message = 'The data was not checked, because the platform gives no response.';
      return done([...this.#explainToken(undefined), skipped('data.permissions', message)]);
    }
    const isReadable = findings.some(({ check, status }) => check === 'data.permissions' && status === 'ok');
    const responder = isReadable || isFromRedis ? 'REST API' : 'token endpoint';
    const address = ok(ADDRESS, `The ${responder} responds at ${new URL(this.#platform.url).host}.`);
    const reason = 'The key and the secret were not checked, because the token came from Redis.';
    const credential = isFromRedis
      ? skipped('platform.credential', reason)
      : ok('platform.credential', 'The platform accepts the key and the secret.');
    const skew = checkSkew(this.#platformMs, sentAtMs, this.#clock.now());
    const lifetime = this.#tokenResponse === undefined ? [] : checkLifetime(this.#tokenResponse);
    const tokenFindings = [...lifetime, toBudgetFinding(remaining)];
    const isRefused = this.#refusals.length === this.#requests.rest;
    const dataFindings = isRefused ? [explainRefusedToken(this.#refusals, isFromRedis)] : findings;
    return done([address, credential, ...tokenFindings, skew, ...dataFindings], organizationIds);
  }

  /** Returns the token from Redis if the gateway stores it there, so that replicas and the doctor share one token. */
  async #getToken(redisUrl: string | undefined) {
    const { key, secret, url } = this.#platform;
    const scope = createCredentialScope(url, key);
    const redis =
      redisUrl === undefined
        ? undefined
        : new RedisConnection({
            url: redisUrl,
            ...REDIS_DEADLINES,
            logger: silentLogger,
            clock: this.#clock,
          });
    const tokens = createTokenManager({
      requestToken: () =>
        requestToken({ send: (request) => this.#sendOnce(request) }, { key, secret }, this.#clock),
      clock: this.#clock,
      logger: silentLogger,
      store: redis && createRedisTokenStore({ redis, scope, secret }),
    });
    try {
      const token = await tokens.get();
      return { token, remaining: tokens.status().remainingAttempts };
    } catch (error) {
      return { error };
    } finally {
      await redis?.close();
    }
  }

  /** The token manager may send a second request; the doctor sends only one. */
  async #sendOnce(request: TransportRequest): Promise<TransportResponse> {
    if (this.#requests.token > 0)
      throw new GatewayError('PLATFORM_UNAVAILABLE', 'One token request was sent.');
    this.#requests.token += 1;
    try {
      this.#tokenResponse = await this.#transport.send(request);
      this.#platformMs = readDate(this.#tokenResponse);
      return this.#tokenResponse;
    } catch (error) {
      this.#connectionError = error;
      throw error;
    }
  }

  async #read(path: string, token: string): Promise<TransportResponse> {
    this.#requests.rest += 1;
    const headers = { Authorization: `Bearer ${token}` };
    try {
      const response = await this.#transport.send({ method: 'GET', path: `/v2.0${path}`, headers });
      this.#responses += 1;
      this.#platformMs ??= readDate(response);
      if (response.status === 401 || response.status === 403) this.#refusals.push(response.status);
      return response;
    } catch (error) {
      this.#connectionError ??= error;
      throw error;
    }
  }

  #explainToken(error: unknown): Finding[] {
    const { url } = this.#platform;
    const response = this.#tokenResponse;
    const nowMs = this.#clock.now();
    const context = { url, credential: this.#platform, nowMs };
    if (error instanceof GatewayError && this.#requests.token === 0)
      return explainBlockedRequest(error, context);
    if (!response) return [explainNoResponse(this.#connectionError ?? error, url)];
    const skew = checkSkew(this.#platformMs, nowMs, nowMs);
    const reason = explainTokenResponse(response, context);
    return [reason, ...(skew.status === 'ok' ? [] : [skew])];
  }
}

/**
 * Explains a token that every endpoint refuses. Without this finding, those of the endpoints would look like missing
 * rights.
 */
function explainRefusedToken(refusals: readonly number[], isFromRedis: boolean): Finding {
  const check = 'data.permissions';
  if (isFromRedis) {
    const message = 'The platform refuses the token that is in Redis; the gateway will request another one.';
    const remedy = 'Run `fieldgraph doctor` without REDIS_URL to check the key, the secret and the data.';
    return warning(check, message, remedy);
  }
  const statuses = [...new Set(refusals)].sort().join(' and ');
  const message = `The platform issues a token, and refuses it for all data (status ${statuses}).`;
  const remedy =
    'Check whether a proxy removes the header Authorization, whether the token endpoint and the REST API belong to the same platform, and whether the API client has any rights.';
  return problem(check, message, remedy);
}

const MIN_REMAINING = 3;

function toBudgetFinding(remaining = 0): Finding {
  const check = 'platform.tokens';
  const message = `${remaining} of 15 token requests in 15 minutes are left, as far as this machine knows.`;
  if (remaining > MIN_REMAINING) return ok(check, message);
  const remedy =
    'Find out what requests tokens: other programs with this key, or restarts without REDIS_URL.';
  return warning(check, message, remedy);
}

/** The header `Date` counts whole seconds. */
function readDate({ headers }: TransportResponse): number | undefined {
  const ms = Date.parse(String(headers['date']));
  return Number.isNaN(ms) ? undefined : ms;
}

/** `platformMs`: the platform's time, which was read between the other two. */
function checkSkew(platformMs: number | undefined, beforeMs: number, afterMs: number): Finding {
  const check = 'platform.clock';
  if (platformMs === undefined) return skipped(check, 'The platform does not send its time.');
  const aheadMs = platformMs < beforeMs ? platformMs - beforeMs : Math.max(0, platformMs - afterMs);
  if (Math.abs(aheadMs) <= MAX_CLOCK_SKEW_MS)
    return ok(check, "This machine's clock agrees with the platform's.");
  const seconds = Math.round(Math.abs(aheadMs) / 1000);
  const message = `This machine's clock is ${seconds} s ${aheadMs > 0 ? 'behind' : 'ahead of'} the platform's.`;
  return problem(check, message, 'Synchronise the clock, for example with chrony or systemd-timesyncd.');
}
