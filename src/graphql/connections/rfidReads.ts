/** The connection of the account's RFID reads, with the tags in them. */
import { measuresNumbers } from '../../sources/entities/streams.js';
import type { RfidSample } from '../../sources/samples/samples.js';
import type { Sources } from '../../sources/sources.js';
import { readFirst } from '../arguments/bounds.js';
import { type ListConnection, type PageArguments, toConnection } from './listConnection.js';

/** A tag in a list of reads. */
export interface RfidTag {
  tagId: string;
  readCount: number;
  /** RFC 3339. */
  firstSeenAt: string;
  lastSeenAt: string;
  lastRead: RfidSample;
}

export interface RfidReadConnection extends Omit<ListConnection<RfidSample>, 'isComplete'> {
  tagCount: () => number;
  /** The tags that were seen last come first. */
  tags: (args: { first?: number | null | undefined }) => readonly RfidTag[];
}

/** The reads and tags that a caller wants; undefined: all. */
interface RfidSelection {
  matches: ((read: RfidSample) => boolean) | undefined;
  tagIds: ReadonlySet<string> | undefined;
}

export async function listRfidReads(
  { samples, streams }: Pick<Sources, 'samples' | 'streams'>,
  since: number,
  page: PageArguments,
  { matches, tagIds }: RfidSelection,
): Promise<RfidReadConnection> {
  readFirst(page.first);
  const readerSites = async () => {
    const readers = (await streams.all()).filter((stream) => !measuresNumbers(stream));
    return [...new Set(readers.map(({ siteId }) => siteId))].filter((siteId) => siteId !== null);
  };
  const all = await samples.rfidReadsOfAccount(since, readerSites);
  const reads = matches ? all.filter(matches) : all;
  let tags: readonly RfidTag[] | undefined;
  const allTags = () => {
    tags ??= collectTags(reads, tagIds);
    return tags;
  };
  return Object.assign(toConnection({ items: reads, isComplete: true }, page), {
    tagCount: () => allTags().length,
    tags: ({ first }: { first?: number | null | undefined }) => allTags().slice(0, readFirst(first)),
  });
}

/** `reads` are in the order of time. */
function collectTags(reads: readonly RfidSample[], wanted: ReadonlySet<string> | undefined): RfidTag[] {
  const tags = new Map<string, RfidTag>();
  for (const read of reads) {
    for (const tagId of new Set(read.tagIds)) {
      if (wanted && !wanted.has(tagId)) continue;
      const tag = tags.get(tagId);
      tags.set(tagId, {
        tagId,
        readCount: (tag?.readCount ?? 0) + 1,
        firstSeenAt: tag?.firstSeenAt ?? read.sampledAt,
        lastSeenAt: read.sampledAt,
        lastRead: read,
      });
    }
  }
  return [...tags.values()].sort(
    (one, other) =>
      Date.parse(other.lastSeenAt) - Date.parse(one.lastSeenAt) || (one.tagId < other.tagId ? -1 : 1),
  );
}
