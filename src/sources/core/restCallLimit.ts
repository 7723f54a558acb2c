/** Limits the REST calls of one operation, so that no operation can flood the platform. */
import { GatewayError } from '../../errors.js';

/** Called before each REST call. Throws TOO_MANY_REST_CALLS at the limit. */
type RestCallLimit = () => void;

export function createRestCallLimit(maxCalls: number): RestCallLimit {
  let calls = 0;
  return () => {
    calls += 1;
    if (calls <= maxCalls) return;
    const message = `The operation takes more than ${maxCalls} REST calls. Ask for fewer items at a time.`;
    throw new GatewayError('TOO_MANY_REST_CALLS', message);
  };
}
