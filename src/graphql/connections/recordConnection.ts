/** Relay connections over what a device reports of itself. A cursor is a record's number, as the platform gives it. */
import type { DeviceHealth, DeviceLog } from '../../sources/entities/deviceRecords.js';
import type { RecordPage, RecordPageRequest } from '../../sources/entities/recordPaginator.js';
import { readOptionalId } from '../arguments/nodeId.js';
import { type PageArguments, readFirst } from './listConnection.js';

export interface RecordConnection<Record> {
  nodes: readonly Record[];
  edges: readonly { node: Record; cursor: string }[];
  pageInfo: {
    /** A function, so that only those who ask pay for it. */
    hasNextPage: () => Promise<boolean>;
    hasPreviousPage: boolean;
    startCursor: string | null;
    endCursor: string | null;
  };
}

export type DeviceHealthConnection = RecordConnection<DeviceHealth>;
export type DeviceLogConnection = RecordConnection<DeviceLog>;

export async function toRecordConnection<Record extends { id: number }>(
  type: string,
  { first, after }: PageArguments,
  load: (request: RecordPageRequest) => Promise<RecordPage<Record>>,
): Promise<RecordConnection<Record>> {
  const afterId = readOptionalId(type, after, 'after');
  const { records, hasMore } = await load({ afterId, count: readFirst(first) });
  const edges = records.map((node) => ({ node, cursor: String(node.id) }));
  return {
    nodes: records,
    edges,
    pageInfo: {
      hasNextPage: hasMore,
      hasPreviousPage: afterId !== undefined,
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
  };
}
