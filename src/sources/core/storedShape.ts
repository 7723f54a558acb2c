/** Checks the shape of values from a store outside the process. A value with a different shape is loaded again. */
import { isRecord } from '../../lib/records.js';

/** Throws if the value has another shape; the cache treats this as a miss. */
export function checkShape<Value>(stored: unknown, isValue: (stored: unknown) => boolean): Value {
  if (isValue(stored)) return stored as Value;
  throw new TypeError('A stored value has another shape.');
}

export function isListOfObjects(stored: unknown): stored is readonly object[] {
  return Array.isArray(stored) && stored.every(isRecord);
}

export function isListOfIdentified(stored: unknown): boolean {
  return Array.isArray(stored) && stored.every(isIdentified);
}

export function isIdentified(stored: unknown): boolean {
  return isRecord(stored) && typeof stored['id'] === 'number';
}

export function isObjectOrNull(stored: unknown): boolean {
  return stored === null || isRecord(stored);
}
