/** Cursors of positions, behind which subscriptions resume. */
import type { EventPosition } from './liveEvents.js';
import type { SampleKind, TailPosition } from './sampleTail.js';

/** Types of the samples that have a queue. Images have none, so that nothing can be resumed behind one. */
const queuedTypes = { SCALAR: 'ScalarSample', RFID: 'RfidSample', IMAGE: undefined } as const;

/** Empty where the position is not known, or has no cursor. `ScalarSample:none` is that of an account without samples. */
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
