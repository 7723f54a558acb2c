/** The interfaces of a websocket connection: what all connections share, and the handler of the messages of one. */
import type { GatewayError } from '../../../errors.js';
import type { ByteBudgets } from '../../../lib/byteBudget.js';
import type { Clock } from '../../../lib/clock.js';
import type { TakeTurn } from '../../../lib/fairQueue.js';
import type { Caller } from '../../auth/caller.js';
import type { CallerRateLimiter } from '../../rateLimits/callerRateLimiter.js';
import type { OutboxLimits } from '../outbox.js';
import type { StaggeredInterval } from './staggeredInterval.js';

export interface SocketConnectionOptions extends OutboxLimits {
  /** Limits the messages of each caller, pings and invalid messages included. */
  messageRate: CallerRateLimiter;
  budgets: ByteBudgets;
  /** Spreads messages over turns of the event loop. */
  takeMessageTurn: TakeTurn;
  clock: Clock;
  checks: StaggeredInterval<{ checkAlive(): void }>;
  /** Called with the error of a connection that ends because it exceeds a limit. `caller`: once it is authenticated. */
  onRefused(error: GatewayError, address: string, caller: Caller | undefined): void;
  onViolation(error: Error, address: string): void;
}

export interface SocketHandler {
  receive(text: string): void;
  /** Called when `isDrained` has become true. */
  drained(): void;
  /** Called with the error before the connection ends because it exceeds a limit. */
  endSubscriptions(error: GatewayError): void;
  closed(): void;
}
