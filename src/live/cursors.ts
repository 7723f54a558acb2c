/** Converts positions to cursors, after which subscriptions resume. */
import { queuedTypes } from '../sources/samples/sampleQueues.js';
import type { EventPosition } from './liveEvents.js';
import type { SampleKind, TailPosition } from './sampleTail.js';

/**
 * Empty for an unknown position, and for images: they have no queue, so a subscription cannot resume after an image.
 * `ScalarSample:none` is the cursor for an account without samples.
 */
export function toEventPosition(kind: SampleKind, position: TailPosition | undefined): EventPosition[] {
  if (position === undefined || kind === 'IMAGE') return [];
  const type = queuedTypes[kind];
  return [{ kind, id: position.id, cursor: `${type}:${position.id === 0 ? 'none' : position.id}` }];
}

/** A cursor names the last event of each kind. Undefined without positions. */
export function toCursor(positions: ReadonlyMap<string, EventPosition>): string | undefined {
  if (positions.size === 0) return undefined;
  return [...positions.values()].map(({ cursor }) => cursor).join(',');
}
