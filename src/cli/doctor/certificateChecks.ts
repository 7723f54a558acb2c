/** Checks of `fieldgraph doctor` on the certificate of the gateway: validity, names, key and chain. */
import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { rootCertificates } from 'node:tls';
import type { Config } from '../../config/config.js';
import { checkTlsFiles } from '../../http/server/tls.js';
import { type Clock, DAY_MS } from '../../lib/clock.js';
import { fileMessageOf } from '../../lib/errorMessage.js';
import { readTextFile } from '../../lib/settingFiles.js';
import { type Finding, ok, problem, warning } from './report.js';

const CERTIFICATE = 'process.certificate';
const MIN_DAYS_LEFT = 14;

/** `tls`: absent without TLS. */
export async function checkCertificate(
  { tls: files, publicHosts }: Pick<Config, 'tls' | 'publicHosts'>,
  clock: Clock,
): Promise<Finding[]> {
  if (files === undefined) return [];
  try {
    const [cert, key] = await Promise.all([readTextFile(files.certFile), readTextFile(files.keyFile)]);
    checkTlsFiles(cert, key);
    const certificate = new X509Certificate(cert);
    return [
      checkValidity(certificate, clock.now()),
      ...checkNames(certificate, publicHosts),
      ...checkKey(certificate),
      ...checkChain(cert),
    ];
  } catch (error) {
    const reason = fileMessageOf(error);
    const remedy =
      'Name readable PEM files: a certificate with its chain, and the private key that belongs to it.';
    return [problem(CERTIFICATE, `TLS_CERT_FILE and TLS_KEY_FILE can't be used: ${reason}`, remedy)];
  }
}

function checkValidity({ validFrom, validTo }: X509Certificate, nowMs: number): Finding {
  const renew =
    'Renew the certificate. The gateway reads changed files again. Under systemd, restart the service.';
  if (Date.parse(validFrom) > nowMs) {
    const message = `The certificate is valid from ${validFrom} on.`;
    return problem(CERTIFICATE, message, "Correct this machine's clock, or wait.");
  }
  const leftMs = Date.parse(validTo) - nowMs;
  if (leftMs <= 0) return problem(CERTIFICATE, `The certificate expired on ${validTo}.`, renew);
  return leftMs < MIN_DAYS_LEFT * DAY_MS
    ? warning(CERTIFICATE, `The certificate expires on ${validTo}.`, renew)
    : ok(CERTIFICATE, `The certificate is valid until ${validTo}.`);
}

function checkNames(certificate: X509Certificate, publicHosts: readonly string[]): Finding[] {
  if (certificate.subjectAltName === undefined) {
    const message =
      'The certificate has no subject alternative name, so browsers and most clients refuse it.';
    const remedy = 'Request a certificate that names its hosts as subject alternative names.';
    return [warning(CERTIFICATE, message, remedy)];
  }
  const names = publicHosts.map((host) => new URL(`https://${host}`).hostname.replace(/^\[(.*)\]$/, '$1'));
  const missing = names.filter(
    (name) => !(isIP(name) ? certificate.checkIP(name) : certificate.checkHost(name)),
  );
  if (missing.length === 0) return [];
  const remedy =
    'Use a certificate that has these names as subject alternative names, or correct PUBLIC_HOSTS.';
  const message = `The certificate does not have names of PUBLIC_HOSTS: ${missing.join(', ')}.`;
  return [warning(CERTIFICATE, message, remedy)];
}

/** Shorter RSA keys are refused by most clients. */
const MIN_RSA_BITS = 2048;

function checkKey({ publicKey }: X509Certificate): Finding[] {
  const bits = publicKey.asymmetricKeyDetails?.modulusLength ?? MIN_RSA_BITS;
  if (bits >= MIN_RSA_BITS) return [];
  const message = `The certificate has an RSA key of ${bits} bits; most clients require ${MIN_RSA_BITS} bits.`;
  return [warning(CERTIFICATE, message, 'Make a new key, and request a certificate for it.')];
}

/** `text`: the certificate of the gateway, followed by those of its authorities. */
function checkChain(text: string): Finding[] {
  const pems = text.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? [];
  const certificates = pems.map((pem) => new X509Certificate(pem));
  const [own] = certificates;
  const misplaced = certificates.findIndex((one, index) => {
    const next = certificates[index + 1];
    return next !== undefined && !one.checkIssued(next);
  });
  const [one, next] = misplaced === -1 ? [] : certificates.slice(misplaced);
  if (one && next) {
    const message = `TLS_CERT_FILE: certificate ${misplaced + 2} (${nameOf(next.subject)}) did not issue certificate ${misplaced + 1} (${nameOf(one.subject)}), so clients may refuse them.`;
    const remedy =
      'Save the certificate of the gateway first, and after each certificate the one of its issuer.';
    return [warning(CERTIFICATE, message, remedy)];
  }
  if (!own || certificates.length > 1 || !isFromIntermediate(own)) return [];
  const message = `TLS_CERT_FILE does not contain the certificate of the issuer, ${nameOf(own.issuer)}, so most clients refuse the connection.`;
  return [warning(CERTIFICATE, message, 'Append the certificate of the issuer: use the full chain.')];
}

/**
 * Whether clients need the certificate of the issuer too. A certificate of a public authority names the address of its
 * issuer's certificate. A certificate of a private authority without intermediates usually does not.
 */
function isFromIntermediate(certificate: X509Certificate): boolean {
  if (certificate.checkIssued(certificate) || !/CA Issuers/.test(certificate.infoAccess ?? '')) return false;
  return !rootCertificates.some((root) => certificate.checkIssued(new X509Certificate(root)));
}

/** The common name, or the whole name on one line. */
function nameOf(distinguishedName: string): string {
  return /^CN=(.*)$/m.exec(distinguishedName)?.[1] ?? distinguishedName.replaceAll('\n', ', ');
}
