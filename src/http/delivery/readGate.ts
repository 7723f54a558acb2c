/** Pauses and resumes reading from a connection. The connection is read while there is no reason to stop. */
export class ReadGate {
  readonly #connection: { pause(): unknown; resume(): unknown };
  readonly #reasons = new Set<string>();

  constructor(connection: { pause(): unknown; resume(): unknown }) {
    this.#connection = connection;
  }

  /** Adds a reason to stop. Adding the same reason again has no effect. */
  stop(reason: string): void {
    if (this.#reasons.size === 0) this.#connection.pause();
    this.#reasons.add(reason);
  }

  resume(reason: string): void {
    if (this.#reasons.delete(reason) && this.#reasons.size === 0) this.#connection.resume();
  }

  isStopped(): boolean {
    return this.#reasons.size > 0;
  }
}
