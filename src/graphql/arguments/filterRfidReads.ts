/** Keeps of RFID reads those that a filter asks for; the platform has no such filter. */
import { filterSource, type SampleSource } from '../../sources/samples/samplePages.js';
import type { RfidSample } from '../../sources/samples/samples.js';
import type { RfidReadFilter } from '../generated/resolverTypes.js';

export function filterRfidReads(
  source: SampleSource<RfidSample>,
  filter: RfidReadFilter | null | undefined,
): SampleSource<RfidSample> {
  const tagId = filter?.tagId;
  if (tagId == null) return source;
  return filterSource(source, (reads) => reads.filter(({ tagIds }) => tagIds.includes(tagId)));
}
