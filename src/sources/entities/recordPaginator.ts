/** Pages of what a device reports, in order of arrival: the platform gives a hundred records behind a given one. */
import type { TypedEndpoint } from '../../rest/endpointKinds.js';
import type { CallOptions } from '../../rest/restCaller.js';

export interface RecordPageRequest {
  /** Behind this record; undefined: the newest. */
  afterId: number | undefined;
  count: number;
}

export interface RecordPage<Record> {
  /** By id. */
  records: Record[];
  /** Whether there is more; it may take a call to know. */
  hasMore(): Promise<boolean>;
}

type RecordEndpoint<Row> = TypedEndpoint<[number, number | undefined], readonly Row[]>;

/** The most that the platform answers at once; fewer mean that there are no more. */
export const RECORDS_AT_ONCE = 100;

export function createRecordPaginator<Row extends { id: number }, Record extends { id: number }>(
  endpoint: RecordEndpoint<Row>,
  toRecord: (row: Row) => Record | null,
  options: CallOptions,
) {
  return async (deviceId: number, { afterId, count }: RecordPageRequest): Promise<RecordPage<Record>> => {
    const records: Record[] = [];
    let lastId = afterId;
    let isEnd = false;
    while (!isEnd && records.length < count) {
      const rows = await endpoint(deviceId, lastId, options);
      // Without a record to begin behind, these are the newest: nothing is behind them.
      isEnd = rows.length < RECORDS_AT_ONCE || lastId === undefined;
      lastId = rows.reduce((id, row) => Math.max(id, row.id), lastId ?? 0);
      for (const row of rows) records.push(...[toRecord(row)].filter((record) => record !== null));
    }
    records.sort((one, other) => one.id - other.id);
    const page = afterId === undefined ? records.slice(-count) : records.slice(0, count);
    const reachedId = lastId;
    return {
      records: page,
      async hasMore() {
        if (isEnd || page.length < records.length) return page.at(-1) !== records.at(-1);
        return (await endpoint(deviceId, reachedId, options)).length > 0;
      },
    };
  };
}
