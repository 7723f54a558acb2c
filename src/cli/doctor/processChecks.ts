/**
 * Checks of `fieldgraph doctor` on this machine: Node.js, the port, file descriptors, processor cores, the certificate, and
 * the embedded sandbox.
 */
import { X509Certificate } from 'node:crypto';
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { accessSync, closeSync, constants, existsSync, openSync, readSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import http from 'node:http';
import https from 'node:https';
import { BlockList, createServer, isIP } from 'node:net';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import type { Config } from '../../config/config.js';
import { checkTlsFiles } from '../../http/server/tls.js';
import { type Clock, DAY_MS } from '../../lib/clock.js';
import { codeOf, messageOf } from '../../lib/errorMessage.js';
import { findListenRemedy } from '../../lib/startupErrors.js';
import { type Finding, ok, problem, skipped, warning } from './report.js';

interface ProcessCheckOptions {
  /** Absent: the settings are not usable. */
  config?: Pick<Config, 'host' | 'port' | 'tls' | 'workers' | 'trustedProxies'> | undefined;
  /** Expected number of open subscriptions. */
  listeners: number;
}

/** The lowest supported version, as `engines` in `package.json` says. */
const MIN_NODE = [20, 19] as const;

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

export function checkNode(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [minMajor, minMinor] = MIN_NODE;
  const isSupported = major > minMajor || (major === minMajor && minor >= minMinor);
  return isSupported
    ? ok('process.node', `Node.js ${version} is supported.`)
    : problem('process.node', `Node.js ${version} is too old.`, `Install ${MIN_NODE.join('.')} or later.`);
}

/** `limit`: undefined if the system has none or does not report it. */
export function checkDescriptors(limit: number | undefined, listeners: number): Finding {
  const check = 'process.descriptors';
  const needed = listeners + OTHER_DESCRIPTORS;
  if (limit === undefined || limit >= needed) {
    return ok(check, `${limit ?? 'Any number of'} file descriptors are enough for ${listeners} listeners.`);
  }
  return warning(
    check,
    `${limit} file descriptors are too few for ${listeners} listeners; about ${needed} are needed.`,
    `Raise the limit: \`ulimit -n ${needed}\`, or LimitNOFILE= in a systemd unit.`,
  );
}

function readDescriptorLimit(): number | undefined {
  const report = process.report.getReport() as { userLimits?: { open_files?: { soft?: unknown } } };
  const soft = report.userLimits?.open_files?.soft;
  return typeof soft === 'number' ? soft : undefined;
}

async function checkPort({ host, port, tls }: Pick<Config, 'host' | 'port' | 'tls'>): Promise<Finding> {
  const check = 'process.port';
  const code = await tryListen(host, port);
  if (code === undefined) return ok(check, `Port ${port} of ${host} is free.`);
  if (code !== 'EADDRINUSE') {
    const remedy = findListenRemedy(code) ?? 'Check HOST and PORT.';
    return problem(check, `The gateway can't listen on ${host}, port ${port} (${code}).`, remedy);
  }
  if (await isGateway({ host, port, tls }))
    return ok(check, `A gateway already answers at ${host}, port ${port}.`);
  const remedy = 'Choose another port with PORT, or stop the program that uses it.';
  return problem(check, `Another program uses port ${port} of ${host}.`, remedy);
}

/** Resolves to the code of the error; undefined if a server can listen there. */
async function tryListen(host: string, port: number): Promise<string | undefined> {
  const server = createServer();
  try {
    server.listen(port, host);
    await once(server, 'listening');
    return undefined;
  } catch (error) {
    return codeOf(error) ?? 'unknown';
  } finally {
    server.close();
  }
}

const HEALTH_TIMEOUT_MS = 2000;

/** The running gateway may use the certificate that is being checked, so any certificate is accepted. */
function isGateway({ host, port, tls }: Pick<Config, 'host' | 'port' | 'tls'>): Promise<boolean> {
  const { get } = tls === undefined ? http : https;
  const options = { host, port, path: '/healthz', timeout: HEALTH_TIMEOUT_MS, rejectUnauthorized: false };
  return new Promise((resolve) => {
    const request = get(options, (response) => {
      resolve(response.statusCode === 200);
      response.resume();
    });
    request.on('error', () => resolve(false));
    request.on('timeout', () => request.destroy(new Error('Timeout')));
  });
}

export function checkWorkers(workers: number, cores: number): Finding[] {
  if (workers <= cores) return [];
  const message = `WORKERS=${workers} is more than the ${cores} processor ${cores === 1 ? 'core' : 'cores'} of this machine.`;
  return [
    warning('process.workers', message, 'Set WORKERS=auto: more processes than cores only use memory.'),
  ];
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

/** A caller whose address counts as a proxy can choose the address that it is identified by. */
function checkTrustedProxies(proxies: readonly string[]): Finding[] {
  const networks = proxies.filter(isTooLarge);
  if (networks.length === 0) return [];
  const message = `TRUSTED_PROXIES trusts every address in ${networks.join(', ')}: callers there can evade rate limits.`;
  return [warning('process.proxies', message, 'Name the networks of your proxies only.')];
}

const CERTIFICATE = 'process.certificate';
const MIN_DAYS_LEFT = 14;

/** `tls`: absent without TLS. */
export async function checkCertificate(
  { tls: files, publicHosts }: Pick<Config, 'tls' | 'publicHosts'>,
  clock: Clock,
): Promise<Finding[]> {
  if (files === undefined) return [];
  try {
    const [cert, key] = await Promise.all([
      readFile(files.certFile, 'utf8'),
      readFile(files.keyFile, 'utf8'),
    ]);
    checkTlsFiles(cert, key);
    const certificate = new X509Certificate(cert);
    return [checkValidity(certificate, clock.now()), ...checkNames(certificate, publicHosts)];
  } catch (error) {
    const reason = messageOf(error);
    const remedy =
      'Name readable PEM files: a certificate with its chain, and the private key that belongs to it.';
    return [problem(CERTIFICATE, `TLS_CERT_FILE and TLS_KEY_FILE can't be used: ${reason}`, remedy)];
  }
}

function checkValidity({ validFrom, validTo }: X509Certificate, nowMs: number): Finding {
  const renew = 'Renew the certificate. The gateway reads changed files without a restart.';
  if (Date.parse(validFrom) > nowMs)
    return problem(
      CERTIFICATE,
      `The certificate is valid from ${validFrom} on.`,
      "Correct this machine's clock, or wait.",
    );
  const leftMs = Date.parse(validTo) - nowMs;
  if (leftMs <= 0) return problem(CERTIFICATE, `The certificate expired on ${validTo}.`, renew);
  return leftMs < MIN_DAYS_LEFT * DAY_MS
    ? warning(CERTIFICATE, `The certificate expires on ${validTo}.`, renew)
    : ok(CERTIFICATE, `The certificate is valid until ${validTo}.`);
}

function checkNames(certificate: X509Certificate, publicHosts: readonly string[]): Finding[] {
  const names = publicHosts.map((host) => new URL(`https://${host}`).hostname.replace(/^\[(.*)\]$/, '$1'));
  const missing = names.filter(
    (name) => !(isIP(name) ? certificate.checkIP(name) : certificate.checkHost(name)),
  );
  if (missing.length === 0) return [];
  const remedy =
    'Use a certificate that has these names as subject alternative names, or correct PUBLIC_HOSTS.';
  return [
    warning(
      CERTIFICATE,
      `The certificate does not have names of PUBLIC_HOSTS: ${missing.join(', ')}.`,
      remedy,
    ),
  ];
}

const SANDBOX = 'platform.sandbox';

/** Checks the file and the port of the embedded sandbox. */
export async function checkSandbox(config: Config): Promise<Finding[]> {
  return [...checkSandboxFile(config.sandbox.databaseFile), ...(await checkSandboxPort(config))];
}

/** `file`: absent if the data is in memory. */
function checkSandboxFile(file: string | undefined): Finding[] {
  const reason = file === undefined ? undefined : findFileProblem(file);
  if (reason === undefined) return [];
  const remedy = 'Name a new file, or one that the sandbox made, in a folder that the gateway can write to.';
  return [problem(SANDBOX, `SANDBOX_DB: ${reason}`, remedy)];
}

/** The first bytes of each database of SQLite. */
const SQLITE_HEADER = 'SQLite format 3\0';

function findFileProblem(file: string): string | undefined {
  try {
    accessSync(path.dirname(file), constants.W_OK);
  } catch {
    return `the folder of ${file} does not exist or is not writable.`;
  }
  if (!existsSync(file)) return undefined;
  try {
    accessSync(file, constants.W_OK);
    const header = readStart(file, SQLITE_HEADER.length);
    return header === '' || header === SQLITE_HEADER ? undefined : `${file} is not a database.`;
  } catch (error) {
    return `${file} can't be used: ${messageOf(error)}.`;
  }
}

function readStart(file: string, length: number): string {
  const descriptor = openSync(file, 'r');
  try {
    const bytes = Buffer.alloc(length);
    return bytes.toString('latin1', 0, readSync(descriptor, bytes));
  } finally {
    closeSync(descriptor);
  }
}

/** The sandbox listens on this address only. */
const SANDBOX_HOST = '127.0.0.1';

async function checkSandboxPort(config: Config): Promise<Finding[]> {
  const { port } = config.sandbox;
  if (port === undefined || port === 0) return [];
  const other = 'Choose another port with SANDBOX_PORT; 0 takes a free port.';
  if (port === config.port && (await includesSandbox(config.host)))
    return [problem(SANDBOX, `PORT and SANDBOX_PORT are both ${port}.`, other)];
  const code = await tryListen(SANDBOX_HOST, port);
  // The sandbox of a gateway that already runs has the port.
  if (code === undefined || (code === 'EADDRINUSE' && (await isGateway(config)))) return [];
  const message = `The sandbox can't listen on port ${port} (${code}).`;
  return [problem(SANDBOX, message, findListenRemedy(code, 'SANDBOX_PORT') ?? other)];
}

/** Addresses at which a server occupies the same port of `SANDBOX_HOST`. */
const INCLUDING_SANDBOX = [SANDBOX_HOST, `::ffff:${SANDBOX_HOST}`, '0.0.0.0', '::'];

async function includesSandbox(host: string): Promise<boolean> {
  const address = await lookup(host).catch(() => undefined);
  return address !== undefined && INCLUDING_SANDBOX.includes(address.address);
}
