/** Converts positions to cursors, after which subscriptions resume. */
import type { EventPosition } from './liveEvents.js';
import type { SampleKind, TailPosition } from './sampleTail.js';

/** Types of the samples that have a queue. Images have none, so a subscription cannot resume after an image. */
const queuedTypes = { SCALAR: 'ScalarSample', RFID: 'RfidSample', IMAGE: undefined } as const;

/**
 * Empty if the position is unknown or has no cursor. `ScalarSample:none` is the cursor for an account without
 * samples.
 */
export function toEventPosition(kind: SampleKind, position: TailPosition | undefined): EventPosition[] {
  const type = queuedTypes[kind];
  if (position === undefined || type === undefined) return [];
  return [{ kind, id: position.id, cursor: `${type}:${position.id === 0 ? 'none' : position.id}` }];
}

/** A cursor names the last event of each kind. Undefined without positions. */
export function toCursor(positions: ReadonlyMap<string, EventPosition>): string | undefined {
  if (positions.size === 0) return undefined;
  return [...positions.values()].map(({ cursor }) => cursor).join(',');
}
