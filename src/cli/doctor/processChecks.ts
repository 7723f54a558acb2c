/**
 * Checks of `fieldgraph doctor` on this machine: Node.js, the port, file descriptors, cores, the embedded sandbox, and
 * the settings of the way to the platform.
 */
import { once } from 'node:events';
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { BlockList, isIP } from 'node:net';
import { availableParallelism } from 'node:os';
import { text as readText } from 'node:stream/consumers';
import { findSandboxFileProblem, sharesPortWithSandbox, tryToListen } from '../../app.js';
import type { Config } from '../../config/config.js';
import { codeOf } from '../../lib/errorMessage.js';
import { parseIfJson, toRecord } from '../../lib/records.js';
import { findListenRemedy } from '../../lib/startupErrors.js';
import { checkNode } from './nodeCheck.js';
import { type Finding, ok, problem, skipped, warning } from './report.js';

interface ProcessCheckOptions {
  /** Absent if the settings are not usable. */
  config?: Pick<Config, 'host' | 'port' | 'tls' | 'workers' | 'trustedProxies'> | undefined;
  /** Expected number of open subscriptions. */
  listeners: number;
}

/** Descriptors besides those of listeners: REST connections, Redis, files, other requests. */
const OTHER_DESCRIPTORS = 512;

export async function checkProcess({ config, listeners }: ProcessCheckOptions): Promise<Finding[]> {
  const limit = readDescriptorLimit();
  return [
    checkNode(process.versions.node),
    ...(config
      ? [await checkPort(config), ...checkWorkers(config.workers, availableParallelism())]
      : [skipped('process.port', 'The port was not checked, because the settings are not usable.')]),
    ...checkTrustedProxies(config?.trustedProxies ?? []),
    checkDescriptors(limit, listeners),
  ];
}

/** `limit`: undefined if the system has none or does not report it. */
export function checkDescriptors(limit: number | undefined, listeners: number): Finding {
  const check = 'process.descriptors';
  const needed = listeners + OTHER_DESCRIPTORS;
  if (limit === undefined || limit >= needed) {
    return ok(check, `${limit ?? 'Any number of'} file descriptors are enough for ${listeners} listeners.`);
  }
  const message = `${limit} file descriptors are too few for ${listeners} listeners; about ${needed} are needed.`;
  const remedy = `Raise the limit: \`ulimit -n ${needed}\`, or LimitNOFILE= in a systemd unit.`;
  return warning(check, message, remedy);
}

function readDescriptorLimit(): number | undefined {
  const report = process.report.getReport() as { userLimits?: { open_files?: { soft?: unknown } } };
  const soft = report.userLimits?.open_files?.soft;
  return typeof soft === 'number' ? soft : undefined;
}

async function checkPort({ host, port, tls }: Pick<Config, 'host' | 'port' | 'tls'>): Promise<Finding> {
  const check = 'process.port';
  const code = await findListenError(host, port);
  if (code === undefined) return ok(check, `Port ${port} of ${host} is free.`);
  if (code !== 'EADDRINUSE') {
    const remedy = findListenRemedy(code) ?? 'Check HOST and PORT.';
    return problem(check, `The gateway can't listen on ${host}, port ${port} (${code}).`, remedy);
  }
  if (await isGateway({ host, port, tls }))
    return ok(check, `A gateway already runs at ${host}, port ${port}.`);
  const remedy = 'Choose another port with PORT, or stop the program that uses it.';
  return problem(check, `Another program uses port ${port} of ${host}.`, remedy);
}

/** Resolves to the code of the error; undefined if a server can listen there. */
async function findListenError(host: string, port: number): Promise<string | undefined> {
  return tryToListen({ host, port }).then(
    () => undefined,
    (error: unknown) => codeOf(error) ?? 'unknown',
  );
}

const HEALTH_TIMEOUT_MS = 2000;
/** A gateway returns the id of a request. Other programs that serve `/healthz` seldom do. */
const REQUEST_ID = 'fieldgraph-doctor';

/** The running gateway may use the certificate that is being checked, so any certificate is accepted. */
async function isGateway({ host, port, tls }: Pick<Config, 'host' | 'port' | 'tls'>): Promise<boolean> {
  const { get } = tls === undefined ? http : https;
  const request = get({
    ...{ host, port, path: '/healthz', headers: { 'X-Request-Id': REQUEST_ID } },
    ...{ signal: AbortSignal.timeout(HEALTH_TIMEOUT_MS), rejectUnauthorized: false },
  });
  request.on('error', () => {});
  try {
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    const isEchoed = response.statusCode === 200 && response.headers['x-request-id'] === REQUEST_ID;
    if (!isEchoed) return false;
    return toRecord(parseIfJson(await readText(response)))['status'] === 'ok';
  } catch {
    return false;
  } finally {
    request.destroy();
  }
}

export function checkWorkers(workers: number, cores: number): Finding[] {
  if (workers <= cores) return [];
  const message = `WORKERS=${workers} is more than the ${cores} processor ${cores === 1 ? 'core' : 'cores'} of this machine.`;
  const remedy = 'Set WORKERS=auto: more processes than cores only use memory.';
  return [warning('process.workers', message, remedy)];
}

/** Prefixes of the largest private networks, 10.0.0.0/8 and fc00::/7. A shorter prefix includes public addresses. */
const MIN_PREFIX = { ipv4: 8, ipv6: 7, ipv4InIpv6: 104 };

const ipv4InIpv6 = new BlockList();
ipv4InIpv6.addSubnet('::ffff:0:0', 96, 'ipv6');

function isTooLarge(network: string): boolean {
  const [address = '', prefix] = network.split('/');
  const ipv6 = ipv4InIpv6.check(address, 'ipv6') ? 'ipv4InIpv6' : 'ipv6';
  return prefix !== undefined && Number(prefix) < MIN_PREFIX[isIP(address) === 4 ? 'ipv4' : ipv6];
}

/** A caller whose own address counts as a proxy can name any address as its own in `X-Forwarded-For`. */
function checkTrustedProxies(proxies: readonly string[]): Finding[] {
  const networks = proxies.filter(isTooLarge);
  if (networks.length === 0) return [];
  const message = `TRUSTED_PROXIES trusts every address in ${networks.join(', ')}: callers there can evade rate limits.`;
  return [warning('process.proxies', message, 'Name the networks of your proxies only.')];
}

const SANDBOX = 'platform.sandbox';

export async function checkSandbox(config: Config): Promise<Finding[]> {
  return [...(await checkDatabaseFile(config.sandbox.databaseFile)), ...(await checkSandboxPort(config))];
}

/** `file`: absent if the data is in memory. */
async function checkDatabaseFile(file: string | undefined): Promise<Finding[]> {
  if (file === undefined) return [];
  const reason = await findSandboxFileProblem(file);
  if (reason === undefined) return [];
  const remedy = 'Name a new file, or one that the sandbox made, in a folder that the gateway can write to.';
  return [problem(SANDBOX, `SANDBOX_DB: ${reason}`, remedy)];
}

/** The sandbox listens on this address only. */
const SANDBOX_HOST = '127.0.0.1';

async function checkSandboxPort(config: Config): Promise<Finding[]> {
  const { port } = config.sandbox;
  if (port === undefined || port === 0) return [];
  const other = 'Choose another port with SANDBOX_PORT; 0 takes a free port.';
  if (await sharesPortWithSandbox(config))
    return [problem(SANDBOX, `PORT and SANDBOX_PORT are both ${port}.`, other)];
  const code = await findListenError(SANDBOX_HOST, port);
  // The sandbox of a gateway that already runs has the port.
  if (code === undefined || (code === 'EADDRINUSE' && (await isGateway(config)))) return [];
  const message = `The sandbox can't listen on port ${port} (${code}).`;
  return [problem(SANDBOX, message, findListenRemedy(code, 'SANDBOX_PORT') ?? other)];
}

export function checkProxies(variables: readonly string[]): Finding[] {
  if (variables.length === 0) return [];
  const message = `${variables.join(', ')} ${variables.length === 1 ? 'is' : 'are'} set, but the gateway always connects to the platform directly.`;
  const remedy = 'Allow direct connections, or name a reverse proxy in PLATFORM_URL.';
  return [warning('platform.proxy', message, remedy)];
}

export function checkEncryption({ sendsClearText }: Pick<Config, 'sendsClearText'>): Finding[] {
  if (!sendsClearText) return [];
  const message = 'PLATFORM_URL is http: others in the network can read the credential and the data.';
  const remedy =
    'Use the https address of the platform, or name a proxy on this machine that connects with TLS.';
  return [warning('platform.tls', message, remedy)];
}
