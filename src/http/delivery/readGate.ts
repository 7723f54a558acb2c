/** Stops and resumes reading from a connection. It is read while no reason to stop it is left. */

export interface ReadGate {
  /** Adds a reason to stop; the same reason counts once. */
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
