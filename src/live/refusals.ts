/** Detects that the platform refuses a kind of samples, for example RFID reads on an account without them. */
import { GatewayError } from '../errors.js';
import type { SampleKind } from './sampleTail.js';

/** Why the platform refuses a kind. A plain object, because the process that polls sends it to the others. */
export type RefusalReason = Pick<GatewayError, 'code' | 'message' | 'platform'>;

/** Called when the platform refuses a kind, and with undefined when it accepts it again. */
export type RefusalListener = (kind: string, error: GatewayError | undefined) => void;

const TOO_MANY_REQUESTS = 429;

/** Whether the platform will probably refuse the same call again. */
export function isRefusal(error: unknown): error is GatewayError {
  const status = error instanceof GatewayError ? (error.platform?.status ?? 0) : 0;
  return status >= 400 && status < 500 && status !== TOO_MANY_REQUESTS;
}

export function toRefusalReason({ code, message, platform }: GatewayError): RefusalReason {
  return { code, message, platform };
}

export function toRefusalError(kind: SampleKind, { code, message, platform }: RefusalReason): GatewayError {
  return new GatewayError(code, `Samples of the kind ${kind} can't be read: ${message}`, { platform });
}

/** Ends a subscription that could not read the past of a kind, when samples of that kind arrive again. */
export function createAcceptedAgainError(): GatewayError {
  const message =
    'The platform accepts a kind of samples again. Subscribe again with `after` to receive the samples in between.';
  return new GatewayError('PLATFORM_REFUSED', message, { retryable: true, retryAfterMs: 1000 });
}
