/** Serves https with a certificate from files, which is replaced without a restart when the files change. */
import { createServer, type Server, type ServerOptions } from 'node:https';
import { createSecureContext } from 'node:tls';
import type { Logger } from '../../lib/logger.js';
import { watchFiles } from '../../lib/watchedFiles.js';

export interface TlsFiles {
  /** The certificate and its chain, in PEM. */
  certFile: string;
  /** The private key, in PEM. */
  keyFile: string;
}

/** The files do not contain a certificate with its key. */
export class TlsFilesError extends Error {
  override readonly name = 'TlsFilesError';
}

/** Rejects with a `TlsFilesError`. New connections use a changed certificate; open ones keep theirs. */
export async function createTlsServer(
  { certFile, keyFile }: TlsFiles,
  options: ServerOptions,
  logger: Logger,
): Promise<Server> {
  let server: Server | undefined;
  const watched = await watchFiles({
    files: [certFile, keyFile],
    apply([cert = '', key = '']) {
      // Throws unless the key belongs to the certificate, before the server takes them.
      createSecureContext({ cert, key });
      if (server) server.setSecureContext({ ...options, cert, key });
      else server = createServer({ ...options, cert, key });
    },
    onFailure: (cause) =>
      logger.error(
        { cause },
        'TLS_CERT_FILE and TLS_KEY_FILE are not usable; the certificate stays as it was',
      ),
  }).catch((error: unknown) => {
    throw new TlsFilesError(error instanceof Error ? error.message : String(error));
  });
  if (!server) throw new TlsFilesError('There is no certificate.');
  server.on('close', watched.close);
  return server;
}
