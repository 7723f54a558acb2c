/** Checks of `fieldgraph doctor` on the embedded sandbox: its file and its port. */
import { lookup } from 'node:dns/promises';
import { accessSync, closeSync, constants, existsSync, openSync, readSync } from 'node:fs';
import path from 'node:path';
import type { Config } from '../../config/config.js';
import { messageOf } from '../../lib/errorMessage.js';
import { findListenRemedy } from '../../lib/startupErrors.js';
import { isGateway, tryListen } from './processChecks.js';
import { type Finding, problem } from './report.js';

const CHECK = 'platform.sandbox';

export async function checkSandbox(config: Config): Promise<Finding[]> {
  return [...checkFile(config.sandbox.databaseFile), ...(await checkPort(config))];
}

/** `file`: absent if the data is in memory. */
function checkFile(file: string | undefined): Finding[] {
  const reason = file === undefined ? undefined : findFileProblem(file);
  if (reason === undefined) return [];
  const remedy = 'Name a new file, or one that the sandbox made, in a folder that the gateway can write to.';
  return [problem(CHECK, `SANDBOX_DB: ${reason}`, remedy)];
}

/** The first bytes of each database of SQLite. */
const HEADER = 'SQLite format 3\0';

function findFileProblem(file: string): string | undefined {
  try {
    accessSync(path.dirname(file), constants.W_OK);
  } catch {
    return `the folder of ${file} does not exist or is not writable.`;
  }
  if (!existsSync(file)) return undefined;
  try {
    accessSync(file, constants.W_OK);
    const header = readStart(file, HEADER.length);
    return header === '' || header === HEADER ? undefined : `${file} is not a database.`;
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

async function checkPort(config: Config): Promise<Finding[]> {
  const { port } = config.sandbox;
  if (port === undefined || port === 0) return [];
  const other = 'Choose another port with SANDBOX_PORT; 0 takes a free port.';
  if (port === config.port && (await includesSandbox(config.host)))
    return [problem(CHECK, `PORT and SANDBOX_PORT are both ${port}.`, other)];
  const code = await tryListen(SANDBOX_HOST, port);
  // The sandbox of a gateway that already runs has the port.
  if (code === undefined || (code === 'EADDRINUSE' && (await isGateway(config)))) return [];
  const message = `The sandbox can't listen on port ${port} (${code}).`;
  return [problem(CHECK, message, findListenRemedy(code, 'SANDBOX_PORT') ?? other)];
}

/** Addresses at which a server occupies the same port of `SANDBOX_HOST`. */
const INCLUDING_SANDBOX = [SANDBOX_HOST, `::ffff:${SANDBOX_HOST}`, '0.0.0.0', '::'];

async function includesSandbox(host: string): Promise<boolean> {
  const address = await lookup(host).catch(() => undefined);
  return address !== undefined && INCLUDING_SANDBOX.includes(address.address);
}
