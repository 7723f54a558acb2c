/** Checks of `fieldgraph doctor` on the files of TLS_CERT_FILE and TLS_KEY_FILE. */
import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import type { Config } from '../../config/config.js';
import { checkTlsFiles } from '../../http/server/tls.js';
import type { Clock } from '../../lib/clock.js';
import { type Finding, ok, problem, warning } from './report.js';

const CHECK = 'process.certificate';
const DAY_MS = 86_400_000;
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
    const reason = error instanceof Error ? error.message : String(error);
    const remedy =
      'Name readable PEM files: a certificate with its chain, and the private key that belongs to it.';
    return [problem(CHECK, `TLS_CERT_FILE and TLS_KEY_FILE can't be used: ${reason}`, remedy)];
  }
}

function checkValidity({ validFrom, validTo }: X509Certificate, nowMs: number): Finding {
  const renew = 'Renew the certificate. The gateway takes changed files without a restart.';
  if (Date.parse(validFrom) > nowMs)
    return problem(
      CHECK,
      `The certificate is valid from ${validFrom} on.`,
      "Correct this machine's clock, or wait.",
    );
  const leftMs = Date.parse(validTo) - nowMs;
  if (leftMs <= 0) return problem(CHECK, `The certificate expired on ${validTo}.`, renew);
  return leftMs < MIN_DAYS_LEFT * DAY_MS
    ? warning(CHECK, `The certificate expires on ${validTo}.`, renew)
    : ok(CHECK, `The certificate is valid until ${validTo}.`);
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
    warning(CHECK, `The certificate does not have names of PUBLIC_HOSTS: ${missing.join(', ')}.`, remedy),
  ];
}
