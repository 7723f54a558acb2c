/** Logs the beginning and the end of a stop. With several workers, the primary logs it once for all. */
import type { Logger } from '../lib/logger.js';

/** The work in progress when a stop begins. */
export interface OpenWork {
  /** HTTP responses that are not complete, streams included. */
  requests: number;
  /** Open connections. */
  websockets: number;
}

/** Called once, when new requests are refused. */
export type OnDrain = (open: OpenWork) => void;

/** @param stop resolves with the number of responses that were cut off. */
export async function logDrain(
  logger: Logger,
  signal: NodeJS.Signals | undefined,
  stop: (onDrain: OnDrain) => Promise<number>,
): Promise<void> {
  const startedAtMs = performance.now();
  const reason = signal === undefined ? {} : { signal };
  const cutOff = await stop((open) => logger.info({ ...reason, ...open }, 'Stopping'));
  logger.info({ drainMs: Math.round(performance.now() - startedAtMs), cutOff }, 'Stopped');
}
