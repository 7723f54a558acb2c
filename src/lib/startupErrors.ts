/** Errors that explain to the operator why the process did not start. */
import { codeOf } from './errorMessage.js';

/** An error whose message is for the operator. */
export class StartupError extends Error {
  override readonly name: string = 'StartupError';
}

/** Lists all problems of the configuration, one per line. */
export class ConfigError extends StartupError {
  override readonly name = 'ConfigError';
  readonly problems: readonly string[];

  /** `hints`: sentences that may explain the problems. */
  constructor(problems: readonly string[], hints: readonly string[] = []) {
    super(['The configuration is not usable:', ...problems, ...hints].join('\n  '));
    this.problems = problems;
  }
}

/** A file or directory that a setting names is not usable. Each line of the message is a problem. */
export class SettingFileError extends Error {
  override readonly name = 'SettingFileError';
  readonly setting: string;

  constructor(setting: string, message: string) {
    super(message);
    this.setting = setting;
  }
}

/** One line for errors of the configuration or the system. Other errors are defects and keep their stack. */
export function describeStartupError(error: unknown): string {
  if (error instanceof StartupError) return error.message;
  if (error instanceof SettingFileError) return toConfigError(error).message;
  if (!(error instanceof Error)) return String(error);
  if (isPortTaken(error)) return portTakenMessage(error, 'PORT');
  if (codeOf(error) === undefined) return `${error.stack}`;
  return describeListenError(error, 'PORT') ?? `It can't start: ${error.message}`;
}

/** Names the setting if the sandbox can't listen, or can't write its files. Returns any other error unchanged. */
export function describeSandboxError(error: unknown, databaseFile: string | undefined): unknown {
  if (isPortTaken(error)) return new StartupError(portTakenMessage(error, 'SANDBOX_PORT'));
  if (!(error instanceof Error)) return error;
  const listening = describeListenError(error, 'SANDBOX_PORT');
  if (listening !== undefined) return new StartupError(listening);
  const code = codeOf(error);
  if (code === 'SQLITE_IOERR_GETTEMPPATH' || (code === 'SQLITE_FULL' && databaseFile === undefined))
    return new StartupError(
      `The sandbox can't write temporary files: ${error.message}. Name a writable directory with more space in SQLITE_TMPDIR, or lower SANDBOX_SITES.`,
    );
  if (databaseFile === undefined) return error;
  return new StartupError(`SANDBOX_DB: ${databaseFile} can't be used as a database: ${error.message}`);
}

/** Remedies if a server can't listen, by the code of the error. */
export function findListenRemedy(code: string | undefined, portSetting = 'PORT'): string | undefined {
  if (code === 'EACCES')
    return `Choose a port from 1024 on with ${portSetting}, or give the process the right to use it.`;
  return code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND'
    ? 'Set HOST to an address of this machine, or to 0.0.0.0 for all of them.'
    : undefined;
}

/** The primary of several workers calls `bind`. */
const LISTEN_CALLS: readonly unknown[] = ['listen', 'bind', 'getaddrinfo'];

function describeListenError(error: NodeJS.ErrnoException, portSetting: string): string | undefined {
  const remedy = LISTEN_CALLS.includes(error.syscall) ? findListenRemedy(error.code, portSetting) : undefined;
  return remedy && `It can't start: ${error.message}. ${remedy}`;
}

type ListenError = NodeJS.ErrnoException & { port?: number };

function isPortTaken(error: unknown): error is ListenError {
  return codeOf(error) === 'EADDRINUSE';
}

function portTakenMessage({ port }: ListenError, setting: string): string {
  return `Port ${port} is taken. Choose another one with ${setting}; ${setting}=0 takes a free port.`;
}

/** Reports an invalid file as an invalid setting. */
function toConfigError({ setting, message }: SettingFileError): ConfigError {
  return new ConfigError(message.split('\n').map((problem) => `${setting}: ${problem}`));
}
