/** Counts and logs each operation, request or connection that is refused or ended for a limit or a credential. */
import type { IncomingHttpHeaders } from 'node:http';
import type { ErrorCode, GatewayError } from '../../errors.js';
import type { Clock } from '../../lib/clock.js';
import { createLimitedLogger, type Logger } from '../../lib/logger.js';
import { isRecord } from '../../lib/records.js';
import { type Caller, toLogKey, toLogName } from '../auth/caller.js';
import { readClient } from './accessLog.js';

export interface Refusal {
  error: GatewayError;
  transport: 'http' | 'stream' | 'websocket';
  /** Undefined for a websocket. */
  requestId?: string | undefined;
  /** Undefined before the caller is authenticated. */
  caller?: Caller | undefined;
  /** The remote address, or the /64 of an IPv6 address. Logged for callers without an id. */
  address: string;
  /** The headers of the request; undefined for a websocket. */
  headers?: IncomingHttpHeaders | undefined;
  /** Whether an unknown caller has sent no credential; default false. */
  hasNoCredential?: boolean | undefined;
}

export type ReportRefusal = (refusal: Refusal) => void;

/** Lines for each caller and code, so that one caller does not hide the others. */
const LIMIT = { lines: 3, windowMs: 10_000, keyOf: toKey };

export function createRefusalReporter(
  logger: Logger,
  clock: Clock,
  recordRefusal: (code: ErrorCode) => void,
): ReportRefusal {
  const knownLogger = createLimitedLogger(logger, clock, LIMIT);
  // Requests without a credential come from many addresses, which must not use up the keys of the other lines.
  const anonymousLogger = createLimitedLogger(logger, clock);
  return (refusal) => {
    const { code } = refusal.error;
    recordRefusal(code);
    // Clients register their documents after this error.
    if (code === 'PERSISTED_QUERY_NOT_FOUND') return;
    // The explorer and some clients try without a credential first.
    if (code === 'UNAUTHENTICATED' && refusal.hasNoCredential)
      anonymousLogger.debug(toFields(refusal), 'Operation refused');
    else knownLogger.info(toFields(refusal), 'Operation refused');
  };
}

/** Names the caller and the cause. Lines with the same key share a limit. */
function toKey(fields: object): string {
  const { caller, callerKey, address, code, cause, claim } = fields as Readonly<Record<string, unknown>>;
  return [code, cause, claim, caller, callerKey, address].join(' ');
}

function toFields({ error, transport, requestId, caller, address, headers }: Refusal): object {
  const { code, message, operation, cause } = error;
  const { code: causeCode, claim } = isRecord(cause) ? cause : {};
  return {
    requestId,
    transport,
    caller: caller && toLogName(caller),
    callerKey: caller && toLogKey(caller),
    address: caller?.id === undefined ? address : undefined,
    client: headers && readClient(headers),
    operation,
    code,
    // A message about malformed input can quote it.
    reason: code === 'BAD_REQUEST' ? undefined : message,
    // Only codes and names of claims, because messages of libraries may quote a token.
    cause: typeof causeCode === 'string' ? causeCode : undefined,
    claim: typeof claim === 'string' ? claim : undefined,
  };
}
