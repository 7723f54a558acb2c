/** Pages of device records in order of arrival. The platform returns up to 100 records after a given one. */
import type { CountedRows } from '../../rest/callRecord.js';
import { drain, inOrderOfArrival, type Page, type ReadPage } from '../core/paginator.js';
import { convert } from '../core/wireValues.js';

export interface RecordPageRequest {
  /** The page starts after this record; with the newest records if undefined. */
  afterId: number | undefined;
  count: number;
}

export interface RecordPage<Record> extends Pick<Page<Record>, 'items'> {
  /**
   * Whether there are records before the page. To save a REST call, assumed for a full response and for a page after a
   * record.
   */
  hasEarlier: boolean;
  /** Whether there are more records. May cost a REST call. */
  hasMore(): Promise<boolean>;
}

/** Reads up to 100 records of a device: those after `afterId`, or the newest. */
type ReadRecords<Row> = (deviceId: number, afterId: number | undefined) => Promise<CountedRows<Row>>;

/** The maximum number of records in one response of the platform. A shorter response is the last. */
const MAX_RECORDS_PER_RESPONSE = 100;

export function createRecordPaginator<Row extends { id: number }, Record extends { id: number }>(
  readRecords: ReadRecords<Row>,
  toRecord: (row: Row) => Record | null,
) {
  return async (deviceId: number, { afterId, count }: RecordPageRequest): Promise<RecordPage<Record>> => {
    let isFull = false;
    const read: ReadPage<Record, number | undefined> = async (lastId) => {
      const { rows, lengthOnWire } = await readRecords(deviceId, lastId);
      const items = convert(rows, toRecord);
      const next = rows.reduce((id, row) => Math.max(id, row.id), lastId ?? 0);
      isFull = lengthOnWire >= MAX_RECORDS_PER_RESPONSE;
      // Without a cursor the response has the newest records, with nothing after them.
      const hasMore = isFull && lastId !== undefined && next > lastId;
      return { items, hasMore, next };
    };
    const { items, hasMore, next } = await drain(read, afterId, { limit: count });
    const records = inOrderOfArrival(items);
    const page = afterId === undefined ? records.slice(-count) : records.slice(0, count);
    return {
      items: page,
      hasEarlier: afterId !== undefined || isFull || page.length < records.length,
      async hasMore() {
        if (!hasMore || page.length < records.length) return page.at(-1) !== records.at(-1);
        return (await readRecords(deviceId, next)).rows.length > 0;
      },
    };
  };
}
