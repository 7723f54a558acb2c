/** Describes for the operator why the process did not start. */

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
  if (error instanceof ApiKeysFileError) return toConfigError('API_KEYS_FILE', error).message;
  if (error instanceof KeysFileError) return toConfigError('JWKS_FILE', error).message;
  if (error instanceof TlsFilesError) return toConfigError('TLS_CERT_FILE and TLS_KEY_FILE', error).message;
  if (!(error instanceof Error)) return String(error);
  if (isPortTaken(error)) return portTakenMessage(error, 'PORT');
  return codeOf(error) === undefined ? `${error.stack}` : `It can't start: ${error.message}`;
}

/** Names the setting if its port is taken. Returns any other error unchanged. */
export function namePortSetting(error: unknown, setting: SettingName): unknown {
  return isPortTaken(error) ? new StartupError(portTakenMessage(error, setting)) : error;
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
