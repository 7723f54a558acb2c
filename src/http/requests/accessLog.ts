/**
 * Writes a line for operations that have ended and for subscriptions that begin: for a fraction of all, and for each
 * slow operation.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { Context } from '../../graphql/context.js';
import type { OperationSummary } from '../../graphql/limits/admitOperation.js';
import type { Clock } from '../../lib/clock.js';
import { createLimitedLogger, type Logger } from '../../lib/logger.js';
import { type Caller, toLogKey, toLogName } from '../auth/caller.js';
import type { ResponseSource } from './requestMetrics.js';

export interface AccessLogSettings {
  /** Fraction of the operations that get a log line, from 0 (the default) to 1. */
  accessLog?: number | undefined;
  /** Operations that take at least this many milliseconds get a warning. 0, the default, turns it off. */
  slowOperationMs?: number | undefined;
}

interface LoggedOperation {
  requestId: string;
  caller: Caller;
  transport: 'http' | 'stream' | 'websocket';
  /** Undefined if the operation was refused before it was known. */
  operation: OperationSummary | undefined;
}

/** How a response was obtained; `refused` without execution. */
export type LoggedSource = ResponseSource | 'refused';

interface EndedOperation extends LoggedOperation {
  durationMs: number;
  source: LoggedSource;
  /** The headers that name the client; undefined for transports other than HTTP. */
  headers?: IncomingHttpHeaders | undefined;
  /** HTTP status; undefined for other transports. */
  status?: number | undefined;
  /** Undefined if nothing was executed for this request. */
  reads?: Context['reads'] | undefined;
  /** The codes of the errors in the result; undefined if there are none. */
  errorCodes?: Context['errorCodes'] | undefined;
}

/** Far higher than the limit for other messages that callers cause. */
const LIMIT = { lines: 10_000, windowMs: 10_000 };

export class AccessLog {
  readonly #fraction: number;
  readonly #slowMs: number;
  readonly #logger: Logger;
  /** Reaches 1 when the next line is due. It uses no random numbers, so that the fraction is exact. */
  #due = 0;

  constructor(settings: AccessLogSettings & { logger: Logger; clock: Clock }) {
    const { accessLog = 0, slowOperationMs = 0, logger, clock } = settings;
    this.#fraction = accessLog;
    this.#slowMs = slowOperationMs;
    this.#logger = createLimitedLogger(logger, clock, LIMIT);
  }

  record(ended: EndedOperation): void {
    const isSlow = this.#slowMs > 0 && ended.durationMs >= this.#slowMs;
    const isDue = this.#countOperation();
    if (isSlow) this.#logger.warn(toFields(ended), 'Slow operation');
    else if (isDue) this.#logger.info(toFields(ended), 'Operation completed');
  }

  /** Call it when the subscription begins: it may last for days. */
  recordSubscription({ caller, operation, ...fields }: LoggedOperation): void {
    if (!this.#countOperation()) return;
    this.#logger.info({ ...fields, ...describeOperation(caller, operation) }, 'Subscription opened');
  }

  #countOperation(): boolean {
    this.#due += this.#fraction;
    if (this.#due < 1) return false;
    this.#due -= 1;
    return true;
  }
}

const HASH_DIGITS = 16;
const MAX_CLIENT_CHARACTERS = 64;

/** Name and version of the program, as Apollo's clients send them, for example `dashboard@1.4.0`. */
export function readClient(headers: IncomingHttpHeaders): string | undefined {
  const name = headers['apollographql-client-name'];
  const version = headers['apollographql-client-version'];
  if (name === undefined) return undefined;
  return version === undefined ? toSafeText(name) : `${toSafeText(name)}@${toSafeText(version)}`;
}

function toSafeText(value: unknown): string {
  return String(value)
    .slice(0, MAX_CLIENT_CHARACTERS)
    .replace(/[^\w .,:@/+-]/g, '?');
}

function toFields({
  caller,
  headers,
  operation,
  durationMs,
  source,
  reads,
  errorCodes,
  ...fields
}: EndedOperation): object {
  const { network: restCalls, ...values } = reads ?? { network: 0 };
  return {
    ...fields,
    client: headers && readClient(headers),
    ...describeOperation(caller, operation),
    durationMs: Math.round(durationMs * 10) / 10,
    response: source,
    restCalls,
    ...(reads && { cache: values }),
    ...(errorCodes?.size && { errors: [...errorCodes] }),
  };
}

function describeOperation(caller: Caller, operation: OperationSummary | undefined): object {
  return {
    caller: toLogName(caller),
    callerKey: toLogKey(caller),
    operation: operation?.name,
    type: operation?.kind,
    document: operation?.document,
    documentHash: operation?.documentHash?.slice(0, HASH_DIGITS),
    cost: operation?.cost?.estimated,
  };
}
