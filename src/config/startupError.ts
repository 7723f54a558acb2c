/** Describes for the operator why the process did not start. */
import { TrustedDocumentsError } from '../graphql/documents/documentStore.js';
import { ApiKeysFileError } from '../http/auth/apiKeys.js';
import { KeysFileError } from '../http/auth/jwtAuthenticator.js';
import { TlsFilesError } from '../http/server/tls.js';
import { ConfigError } from './config.js';
import type { SettingName } from './settings.js';

/** An error whose message is for the operator. */
export class StartupError extends Error {
  override readonly name = 'StartupError';
}

/** One line for errors of the configuration or the system. Other errors are defects and keep their stack. */
export function describeStartupError(error: unknown): string {
  if (error instanceof ConfigError || error instanceof StartupError) return error.message;
  if (!(error instanceof Error)) return String(error);
  const [, settingName] = fileErrors.find(([errorClass]) => error instanceof errorClass) ?? [];
  if (settingName !== undefined) return toConfigError(settingName, error).message;
  if (isPortTaken(error)) return portTakenMessage(error, 'PORT');
  return codeOf(error) === undefined ? `${error.stack}` : `It can't start: ${error.message}`;
}

/** Errors of files, and the setting that names the file. */
const fileErrors = [
  [ApiKeysFileError, 'API_KEYS_FILE'],
  [KeysFileError, 'JWKS_FILE'],
  [TlsFilesError, 'TLS_CERT_FILE and TLS_KEY_FILE'],
  [TrustedDocumentsError, 'TRUSTED_DOCUMENTS'],
] as const;

/** Names the setting if the port of the sandbox is taken, or its file is not usable. Returns any other error unchanged. */
export function describeSandboxError(error: unknown, databaseFile: string | undefined): unknown {
  if (isPortTaken(error)) return new StartupError(portTakenMessage(error, 'SANDBOX_PORT'));
  if (databaseFile === undefined || !(error instanceof Error)) return error;
  return new StartupError(`SANDBOX_DB: ${databaseFile} can't be used as a database: ${error.message}`);
}

type ListenError = NodeJS.ErrnoException & { port?: number };

function isPortTaken(error: unknown): error is ListenError {
  return error instanceof Error && codeOf(error) === 'EADDRINUSE';
}

function codeOf(error: NodeJS.ErrnoException): string | undefined {
  return error.code;
}

function portTakenMessage({ port }: ListenError, setting: SettingName): string {
  return `Port ${port} is taken. Choose another one with ${setting}; ${setting}=0 takes a free port.`;
}

/** Reports an invalid file as an invalid setting. */
function toConfigError(setting: string, { message }: Error): ConfigError {
  return new ConfigError(message.split('\n').map((problem) => `${setting}: ${problem}`));
}
