/** Pauses and resumes reading from a connection. The connection is read while there is no reason to stop. */

export interface ReadGate {
  /** Adds a reason to stop. Adding the same reason again has no effect. */
  stop(reason: string): void;
  /** Removes a reason. */
  resume(reason: string): void;
  isStopped(): boolean;
}

export function createReadGate(connection: { pause(): unknown; resume(): unknown }): ReadGate {
  const reasons = new Set<string>();
  return {
    stop(reason) {
      if (reasons.size === 0) connection.pause();
      reasons.add(reason);
    },
    resume(reason) {
      if (reasons.delete(reason) && reasons.size === 0) connection.resume();
    },
    isStopped: () => reasons.size > 0,
  };
}
