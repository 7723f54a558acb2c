/** Holds one operation to so many REST calls, so that none, however it is made, can flood the platform. */
import { GatewayError } from '../errors.js';

/** Called before each call. Throws TOO_MANY_REST_CALLS where there may be no further one. */
export type CallAllowance = () => void;

export function createCallAllowance(mostCalls: number): CallAllowance {
  let calls = 0;
  return () => {
    calls += 1;
    if (calls <= mostCalls) return;
    const message = `The operation takes more than ${mostCalls} REST calls. Ask for fewer items at a time.`;
    throw new GatewayError('TOO_MANY_REST_CALLS', message);
  };
}
