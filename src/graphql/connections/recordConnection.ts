/** Relay connections over the records of a device. A cursor is the id of a record on the platform. */
import type { DeviceHealth, DeviceLog } from '../../sources/entities/deviceRecords.js';
import type { RecordPage, RecordPageRequest } from '../../sources/entities/recordPaginator.js';
import { readOptionalId } from '../arguments/nodeId.js';
import { ConnectionPage, noEdgeFields } from './connection.js';
import { type PageArguments, readFirst } from './listConnection.js';

type RecordConnection<Record> = ConnectionPage<Record, readonly Record[], object, () => Promise<boolean>>;

export type DeviceHealthConnection = RecordConnection<DeviceHealth>;
export type DeviceLogConnection = RecordConnection<DeviceLog>;

export async function toRecordConnection<Record extends { id: number }>(
  type: string,
  { first, after }: PageArguments,
  load: (request: RecordPageRequest) => Promise<RecordPage<Record>>,
): Promise<RecordConnection<Record>> {
  const afterId = readOptionalId(type, after, 'after');
  const { items, hasMore } = await load({ afterId, count: readFirst(first) });
  return new ConnectionPage(items, {
    hasNextPage: hasMore,
    hasPreviousPage: afterId !== undefined,
    cursorOf: ({ id }) => String(id),
    edgeFieldsOf: noEdgeFields,
  });
}
