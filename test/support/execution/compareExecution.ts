/** Executes an operation by graphql-js and by compiled code, and writes down what came, to be compared. */
import { type ExecutionArgs, type ExecutionResult, execute } from 'graphql';
import type { ExecutionRequest, Executor } from '../../../src/execution/executor.js';
import { SerializedJson } from '../../../src/execution/text/serializedJson.js';

export interface Written {
  /** The data as its text, then the errors, a line each. */
  text: string;
  /** Whether compiled code wrote it. */
  isCompiled: boolean;
  errorCount: number;
}

export async function writePlain(args: ExecutionArgs): Promise<Written> {
  return write(await execute(args));
}

export async function writeCompiled(executor: Executor, request: ExecutionRequest): Promise<Written> {
  return write(await executor(request));
}

/** Errors in the order of their places: which of two calls ends first is chance. */
function write({ errors = [], ...result }: ExecutionResult): Written {
  const { data }: { data?: unknown } = result;
  const isCompiled = data instanceof SerializedJson;
  const lines = errors.map(({ path = [], locations = [], message }) =>
    JSON.stringify([path, locations, message]),
  );
  const text = [isCompiled ? data.text : JSON.stringify(data), ...lines.sort()].join('\n');
  return { text, isCompiled, errorCount: errors.length };
}
