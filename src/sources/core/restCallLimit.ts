/** Holds one operation to so many REST calls, so that none, however it is made, can flood the platform. */
import { GatewayError } from '../../errors.js';

/** Called before each call. Throws TOO_MANY_REST_CALLS where there may be no further one. */
export type RestCallLimit = () => void;

export function createRestCallLimit(maxCalls: number): RestCallLimit {
  let calls = 0;
  return () => {
    calls += 1;
    if (calls <= maxCalls) return;
    const message = `The operation takes more than ${maxCalls} REST calls. Ask for fewer items at a time.`;
    throw new GatewayError('TOO_MANY_REST_CALLS', message);
  };
}
