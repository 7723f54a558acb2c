/** Makes chosen responses slow, wrong, truncated or missing, for tests of clients. */

export interface FaultTarget {
  readonly method: string;
  readonly path: string;
  /** The endpoint's path template, or an empty text where none matched. */
  readonly pathTemplate: string;
}

export interface Fault {
  /** A path template, a method with a path template (`GET /v2.0/site`) or a predicate. Default: every request. */
  readonly match?: string | ((target: FaultTarget) => boolean);
  /** The number of requests that it applies to. Default: all until it is removed. */
  readonly times?: number;
  /** Milliseconds to wait before anything else. */
  readonly latencyMs?: number;
  /** The status to send instead of serving the request. From 400 the response has an error body. */
  readonly status?: number;
  /** The `Retry-After` header: seconds, or an HTTP date. */
  readonly retryAfter?: number | string;
  /** The body to send instead of the JSON. */
  readonly body?: string;
  readonly contentType?: string;
  /** Further headers, for example `Location`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Announces the whole length, sends this many bytes of the body, then closes the connection. */
  readonly cutAfterBytes?: number;
  /** Never responds. */
  readonly hangBeforeHeaders?: boolean;
  /** Sends this many bytes of the body, then nothing more. */
  readonly hangAfterBytes?: number;
  /** Closes the connection without a response. */
  readonly destroySocket?: boolean;
  /** Sends a body of this many bytes. */
  readonly hugeBodyBytes?: number;
}

export interface FaultInjector {
  /** Adds a fault and returns a function that removes it. Of several faults that match, the first one applies. */
  add(fault: Fault): () => void;
  clear(): void;
}

function isMatch({ match }: Fault, target: FaultTarget): boolean {
  if (match === undefined) return true;
  if (typeof match === 'function') return match(target);
  return match === target.pathTemplate || match === `${target.method} ${target.pathTemplate}`;
}

/** An injector with `use` for the server, which returns the fault for a request and counts its use. */
export function createFaultInjector(): FaultInjector & { use(target: FaultTarget): Fault | undefined } {
  let faults: { fault: Fault; remaining: number }[] = [];
  return {
    add(fault) {
      const entry = { fault, remaining: fault.times ?? Number.POSITIVE_INFINITY };
      faults.push(entry);
      return () => {
        faults = faults.filter((other) => other !== entry);
      };
    },
    clear() {
      faults = [];
    },
    use(target) {
      const entry = faults.find(({ fault, remaining }) => remaining > 0 && isMatch(fault, target));
      if (!entry) return undefined;
      entry.remaining--;
      return entry.fault;
    },
  };
}
