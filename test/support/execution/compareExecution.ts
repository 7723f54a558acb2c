/** Executes an operation with graphql-js and as a compiled query, and writes both results as text for comparison. */
import { type ExecutionArgs, type ExecutionResult, execute } from 'graphql';
import type { ExecutionRequest, Executor } from '../../../src/execution/executor.js';
import { SerializedJson } from '../../../src/execution/text/serializedJson.js';

export interface Written {
  /** The data as text, then the errors, a line each. */
  text: string;
  /** Whether a compiled query wrote it. */
  isCompiled: boolean;
  errorCount: number;
}

export async function writePlain(args: ExecutionArgs): Promise<Written> {
  return write(await execute(args));
}

export async function writeCompiled(executor: Executor, request: ExecutionRequest): Promise<Written> {
  return write(await executor(request));
}

/** Errors sorted by path, because the order in which two calls end is random. */
function write({ errors = [], ...result }: ExecutionResult): Written {
  const { data }: { data?: unknown } = result;
  const isCompiled = data instanceof SerializedJson;
  const lines = errors.map(({ path = [], locations = [], message }) =>
    JSON.stringify([path, locations, message]),
  );
  const text = [isCompiled ? data.text : JSON.stringify(data), ...lines.sort()].join('\n');
  return { text, isCompiled, errorCount: errors.length };
}
