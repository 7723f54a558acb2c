/** Checks of `fieldgraph doctor` on the files of TLS_CERT_FILE and TLS_KEY_FILE. */
import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import type { TlsFiles } from '../../http/server/tls.js';
import type { Clock } from '../../lib/clock.js';
import { type Finding, ok, problem, warning } from './report.js';

const CHECK = 'process.certificate';
const DAY_MS = 86_400_000;
const MIN_DAYS_LEFT = 14;

/** `files`: absent without TLS. */
export async function checkCertificate(files: TlsFiles | undefined, clock: Clock): Promise<Finding[]> {
  if (files === undefined) return [];
  try {
    const [cert, key] = await Promise.all([readFile(files.certFile), readFile(files.keyFile)]);
    // Throws unless the key belongs to the certificate.
    createSecureContext({ cert, key });
    return [checkValidity(new X509Certificate(cert), clock.now())];
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
