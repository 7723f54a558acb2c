/** Logs writes when they complete, and those that are in flight when the gateway stops. */
import type { Logger } from '../lib/logger.js';

/** The platform may execute a write whose response the gateway no longer reads. */
const STOPPED = { result: 'mayHaveTakenEffect', code: 'STOPPING' };

/** The logs of all gateways in this process that have not stopped. */
const openLogs = new Set<WriteLog>();
// For a process that ends without a drain, such as on a second signal. Runs before the listener that flushes the log, so
// that these lines are flushed too.
process.prependListener('exit', () => {
  for (const log of openLogs) log.close();
});

export class WriteLog {
  readonly #logger: Logger;
  readonly #inFlight = new Set<object>();

  constructor(logger: Logger) {
    this.#logger = logger;
    openLogs.add(this);
  }

  /** Returns a function that logs the write with its result. It does nothing after `close`. */
  begin(fields: object): (result: object) => void {
    this.#inFlight.add(fields);
    return (result) => {
      if (this.#inFlight.delete(fields)) this.#log({ ...fields, ...result });
    };
  }

  close(): void {
    openLogs.delete(this);
    for (const fields of this.#inFlight) this.#log({ ...fields, ...STOPPED });
    this.#inFlight.clear();
  }

  #log(fields: object): void {
    this.#logger.info(fields, 'Mutation executed');
  }
}
