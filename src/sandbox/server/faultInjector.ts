/** Makes chosen answers slow, wrong, cut short or missing, so that clients can be tested against it. */

export interface FaultTarget {
  readonly method: string;
  readonly path: string;
  /** The endpoint's path template, or an empty text where none matched. */
  readonly pathTemplate: string;
}

export interface Fault {
  /** A path template, a method and a path template (`GET /v2.0/site`), a predicate; absent: every request. */
  readonly match?: string | ((target: FaultTarget) => boolean);
  /** How many requests it applies to; absent: all until it is removed. */
  readonly times?: number;
  /** Milliseconds to wait before anything else happens. */
  readonly latencyMs?: number;
  /** Answer with this status instead of serving the request; 400 and above come with an error body. */
  readonly status?: number;
  /** Seconds, or the text of an HTTP date. */
  readonly retryAfter?: number | string;
  /** This text instead of the JSON body. */
  readonly body?: string;
  readonly contentType?: string;
  /** Further headers, for example `Location`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Announce the whole length, send only so many bytes, then close the connection. */
  readonly cutAfterBytes?: number;
  /** Never answer. */
  readonly hangBeforeHeaders?: boolean;
  /** Send so many bytes of the body, then nothing more. */
  readonly hangAfterBytes?: number;
  /** Close the connection without answering. */
  readonly destroySocket?: boolean;
  /** Answer with a body of so many bytes. */
  readonly hugeBodyBytes?: number;
}

export interface FaultInjector {
  /** Adds a fault; of several that match a request the first added applies. Returns its removal. */
  add(fault: Fault): () => void;
  clear(): void;
}

function isMatch({ match }: Fault, target: FaultTarget): boolean {
  if (match === undefined) return true;
  if (typeof match === 'function') return match(target);
  return match === target.pathTemplate || match === `${target.method} ${target.pathTemplate}`;
}

/** An injector with `take` for the server: the fault that applies to a request, counted as used. */
export function createFaultInjector(): FaultInjector & { take(target: FaultTarget): Fault | undefined } {
  let faults: { fault: Fault; left: number }[] = [];
  return {
    add(fault) {
      const entry = { fault, left: fault.times ?? Number.POSITIVE_INFINITY };
      faults.push(entry);
      return () => {
        faults = faults.filter((other) => other !== entry);
      };
    },
    clear() {
      faults = [];
    },
    take(target) {
      const entry = faults.find(({ fault, left }) => left > 0 && isMatch(fault, target));
      if (!entry) return undefined;
      entry.left--;
      return entry.fault;
    },
  };
}
