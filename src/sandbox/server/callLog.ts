/** Records the requests to the sandbox, so that tests can count the REST calls of the gateway. */

export interface LoggedRequest {
  readonly method: string;
  /** The path as received, without the query. */
  readonly path: string;
  /** The endpoint's path template, or an empty text where none matched. */
  readonly pathTemplate: string;
  readonly query: Readonly<Record<string, string>>;
  /** The time of arrival in milliseconds of the sandbox's clock. */
  readonly time: number;
  /** The HTTP status; 0 before the response. */
  status: number;
}

export interface CallLog {
  /** Requests since the last reset. */
  total(): number;
  /** Requests to one endpoint since the last reset, by path template. */
  countOf(pathTemplate: string): number;
  /** The newest requests, at most 10,000, in order of arrival. */
  list(): readonly LoggedRequest[];
  reset(): void;
}

const MAX_RECORDS = 10_000;

/** A log with `add` for the server. The counts include requests that the list no longer has. */
export function createCallLog(): CallLog & { add(record: LoggedRequest): void } {
  let records: LoggedRequest[] = [];
  let count = 0;
  let counts = new Map<string, number>();
  return {
    add(record) {
      count++;
      counts.set(record.pathTemplate, (counts.get(record.pathTemplate) ?? 0) + 1);
      records.push(record);
      if (records.length >= 2 * MAX_RECORDS) records = records.slice(-MAX_RECORDS);
    },
    total: () => count,
    countOf: (pathTemplate) => counts.get(pathTemplate) ?? 0,
    list: () => records.slice(-MAX_RECORDS),
    reset() {
      records = [];
      count = 0;
      counts = new Map();
    },
  };
}
