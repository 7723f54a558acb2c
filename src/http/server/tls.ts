/** Serves https with a certificate from files, which is replaced without a restart when the files change. */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { createServer, type Server, type ServerOptions } from 'node:https';
import { createSecureContext } from 'node:tls';
import type { Clock } from '../../lib/clock.js';
import { fileMessageOf, messageOf } from '../../lib/errorMessage.js';
import type { Logger } from '../../lib/logger.js';
import { readTextFiles, watchFiles } from '../../lib/settingFiles.js';
import { SettingFileError } from '../../lib/startupErrors.js';

export interface TlsFiles {
  /** The certificate and its chain, in PEM. */
  certFile: string;
  /** The private key, in PEM. */
  keyFile: string;
}

const SETTINGS = 'TLS_CERT_FILE and TLS_KEY_FILE';

/** Messages of OpenSSL, and what they mean for the operator. */
const causes: readonly [pattern: RegExp, meaning: string][] = [
  [
    /key values mismatch/,
    'The private key does not belong to the first certificate of the file, which must be that of the gateway.',
  ],
  [/key too small/, 'The key of the certificate is too short: RSA needs 2048 bits.'],
  [/decrypt|cancelled|empty password/, 'The private key is encrypted. Save it without a password.'],
  [
    /PEM routines|PEM lib|bad base64|asn1|DECODER/i,
    'They are not a certificate and a private key in PEM format, are incomplete, or are swapped.',
  ],
];

/** Throws a `SettingFileError` unless both are PEM and the key belongs to the certificate. */
export function checkTlsFiles(cert: string, key: string): void {
  // A secure context ignores an empty string. Then every handshake would fail.
  if (cert === '' || key === '') throw new SettingFileError(SETTINGS, 'One of the files is empty.');
  try {
    createSecureContext({ cert, key });
    // A secure context accepts an RSA certificate with a key of another type. Then every handshake would fail.
    if (!new X509Certificate(cert).checkPrivateKey(createPrivateKey(key)))
      throw new Error('key values mismatch');
  } catch (error) {
    const message = messageOf(error);
    throw new SettingFileError(SETTINGS, causes.find(([pattern]) => pattern.test(message))?.[1] ?? message);
  }
}

interface TlsServer {
  server: Server;
  /** When the certificate in use expires: the last usable one, if the files are not usable. */
  certificateExpiresAtMs(): number;
}

/** Rejects with a `SettingFileError`. New connections use a changed certificate; open ones keep theirs. */
export async function createTlsServer(
  { certFile, keyFile }: TlsFiles,
  options: ServerOptions,
  { clock, logger }: { clock: Clock; logger: Logger },
): Promise<TlsServer> {
  let server: Server | undefined;
  let expiresAtMs = Number.NaN;
  const describeExpiry = () => ({ expiresAt: new Date(expiresAtMs).toISOString() });
  const watched = await watchFiles({
    read: () => readTextFiles([certFile, keyFile]),
    apply([cert = '', key = '']) {
      checkTlsFiles(cert, key);
      if (server) server.setSecureContext({ ...options, cert, key });
      else server = createServer({ ...options, cert, key });
      expiresAtMs = Date.parse(new X509Certificate(cert).validTo);
      if (expiresAtMs <= clock.now()) logger.warn(describeExpiry(), 'The TLS certificate has expired');
    },
    onReload: () => logger.info(describeExpiry(), 'TLS certificate read'),
    onFailure: (cause) =>
      logger.error(
        { cause },
        'TLS_CERT_FILE and TLS_KEY_FILE are not usable; keeping the previous certificate',
      ),
  }).catch((error: unknown) => {
    throw new SettingFileError(SETTINGS, fileMessageOf(error));
  });
  if (!server) throw new SettingFileError(SETTINGS, 'There is no certificate.');
  server.on('close', watched.close);
  return { server, certificateExpiresAtMs: () => expiresAtMs };
}
