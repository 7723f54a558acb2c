/** The form in which stores hold entries. */

export interface StoredEntry {
  /** The loaded value; JSON in a store outside the process. Shared by all callers: never modify it. */
  value: unknown;
  /** Time of the load, milliseconds since the Unix epoch. */
  storedAtMs: number;
  /** Size on the wire. */
  bytes: number;
  /** Hash of the body that the value was made from; undefined if a load cannot reuse the value. Not shared. */
  bodyHash?: string | undefined;
}
