/** Says what kept the process from starting, to whoever started it. */
import { ConfigError } from './config.js';
import { ApiKeysFileError } from './http/callers/apiKeys.js';

/** What kept a worker from starting, in the words that are to be told. */
export class StartFailure extends Error {
  override readonly name = 'StartFailure';
}

/** What the system refuses is told in a line; anything else is a fault of ours and comes with its stack. */
export function describeStartFailure(error: unknown): string {
  if (error instanceof ConfigError || error instanceof StartFailure) return error.message;
  if (error instanceof ApiKeysFileError) return toConfigError(error).message;
  if (!(error instanceof Error)) return String(error);
  const { code, port } = error as NodeJS.ErrnoException & { port?: number };
  if (code === 'EADDRINUSE') return `Port ${port} is taken. Choose another with PORT or SANDBOX_PORT.`;
  return code === undefined ? `${error.stack}` : `It can't start: ${error.message}`;
}

/** A file of keys that can't be used is a setting that can't be used. */
function toConfigError({ message }: ApiKeysFileError): ConfigError {
  return new ConfigError(message.split('\n').map((problem) => `API_KEYS_FILE: ${problem}`));
}
