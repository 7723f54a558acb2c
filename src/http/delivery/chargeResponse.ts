/** Bounds the memory of HTTP responses that their client does not read. */
import type { ServerResponse } from 'node:http';
import { GatewayError } from '../../errors.js';
import type { ByteBudget } from '../../lib/byteBudget.js';
import { createSlowConsumerError } from './outbox.js';

/** Throws RATE_LIMITED if unread responses and websockets occupy more than half of the caller's budget. */
export function checkRoomForResponse(budget: ByteBudget): void {
  if (budget.hasRoomFor(0)) return;
  const message =
    'Earlier responses and messages have not been read yet. Read them, then repeat the request.';
  throw new GatewayError('RATE_LIMITED', message, { retryable: true, retryAfterMs: RETRY_AFTER_MS });
}

const RETRY_AFTER_MS = 1000;

/**
 * Charges the unsent bytes of an ended response to its caller until they are sent. Cuts the connection if the caller
 * then exceeds its budget: the status line is sent already, so no error can be. Node does not report progress within
 * one response, so all of its bytes stay charged until the last one is sent.
 */
export function chargeUnsentBytes(
  response: ServerResponse,
  budget: ByteBudget,
  onCut: (error: GatewayError) => void,
): void {
  const bytes = response.writableLength;
  if (bytes === 0 || response.destroyed) return;
  budget.add(bytes);
  response.once('close', () => budget.add(-bytes));
  if (!budget.isExceeded()) return;
  onCut(createSlowConsumerError());
  response.destroy();
}
