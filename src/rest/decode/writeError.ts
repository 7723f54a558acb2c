/** Tells of a write that failed whether the platform may have carried it out all the same. */
import { GatewayError } from '../../errors.js';
import { isNeverConnected } from '../transport/transportError.js';

/**
 * The error with `mayHaveTakenEffect`. A write that was not sent, was refused (4xx), or whose connection never
 * came to be has changed nothing; after anything else nobody knows.
 */
export function toWriteError(error: unknown, wasSent: boolean): unknown {
  if (!(error instanceof GatewayError)) return error;
  const mayHaveTakenEffect = wasSent && !isRefusal(error) && !isNeverConnected(error);
  const { code, message, retryable, retryAfterMs, platform, cause } = error;
  const advice = mayHaveTakenEffect ? ' The write may have taken effect: read before writing again.' : '';
  return new GatewayError(code, message + advice, {
    retryable,
    retryAfterMs,
    platform,
    cause,
    mayHaveTakenEffect,
  });
}

function isRefusal({ platform }: GatewayError): boolean {
  return platform !== undefined && platform.status >= 400 && platform.status < 500;
}
