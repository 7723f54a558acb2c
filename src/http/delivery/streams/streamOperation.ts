/** Runs one operation and hands its results to a stream: a query or mutation with one result, a subscription with many. */
import {
  createSourceEventStream,
  type ExecutionArgs,
  type ExecutionResult,
  execute,
  type GraphQLError,
} from 'graphql';
import { GatewayError } from '../../../errors.js';
import { toExtensions } from '../../../graphql/apollo/formatError.js';
import type { LogErrorCauses } from '../../../graphql/apollo/logErrorCauses.js';
import type { Cancellation } from '../../../lib/cancellation.js';
import { requestIdOf, type SocketOperationOptions, toClientError } from '../socketOperation.js';
import type { EndError } from './streamCodec.js';

/** Where the results of one operation go. */
export interface ResultSink {
  /** The operation is valid. Call it before the first result. */
  accept(): void;
  /** Ends an operation that was refused, with its errors as the JSON text of a response. */
  refuse(result: string): Promise<void> | void;
  /** Takes the JSON text of one result. Resolves when the client may get the next one. */
  next(result: string, cursor?: string): Promise<void>;
  /** Ends the operation, with the error if it ends early. Nothing follows. */
  complete(error?: EndError): void;
}

export interface StreamOperationOptions extends SocketOperationOptions {
  logCauses: LogErrorCauses;
}

/** Runs a subscription until it ends, the client cancels it, or an error ends it. */
export async function runSubscription(
  args: ExecutionArgs,
  sink: ResultSink,
  cancellation: Cancellation,
  options: StreamOperationOptions,
): Promise<void> {
  const events = await createSourceEventStream(args);
  if (!isAsyncIterable(events)) return sink.refuse(toText(events, args, options));
  sink.accept();
  const iterator = events[Symbol.asyncIterator]();
  cancellation.onCancelled(() => void iterator.return?.());
  if (cancellation.isCancelled()) return void iterator.return?.();
  for (;;) {
    const { value: event, done } = await iterator.next();
    if (done) return sink.complete();
    if (event instanceof GatewayError) return sink.complete(toEndError(event, requestIdOf(args)));
    const result = await execute({ ...args, rootValue: event });
    await sink.next(toText(result, args, options));
  }
}

export function toEndError(error: GatewayError, requestId: string): EndError {
  return { message: error.message, extensions: { ...toExtensions(error), requestId } };
}

/** The result of an operation that was refused. */
export function toRefusal(errors: readonly GraphQLError[]): string {
  return JSON.stringify({ errors });
}

function toText(
  { data, errors }: ExecutionResult,
  args: ExecutionArgs,
  options: StreamOperationOptions,
): string {
  if (!errors) return JSON.stringify({ data });
  options.logCauses(requestIdOf(args), errors);
  return JSON.stringify({ data, errors: errors.map((error) => toClientError(error, args, options)) });
}

function isAsyncIterable(value: AsyncIterable<unknown> | ExecutionResult): value is AsyncIterable<unknown> {
  return Symbol.asyncIterator in value;
}
