/** Sample sources made of others: several as one, and those of one that meet a condition. */
import { readAllSamples, type SampleSource, type TimedSample } from './samplePages.js';

/** The samples of all, as if one endpoint had them. What one holds back may lie before what another has given. */
export function mergeSources<Sample extends TimedSample>(
  sources: readonly SampleSource<Sample>[],
): SampleSource<Sample> {
  return async (fromMs, limit) => {
    const pages = await Promise.all(sources.map((source) => source(fromMs, limit)));
    const samples = pages.flatMap((page) => page.samples).sort(byTime);
    const cutOff = pages.filter(({ hasMore }) => hasMore).map((page) => page.samples.at(-1));
    if (cutOff.length === 0) return { samples, hasMore: false };
    const [certain] = cutOff.sort((one, other) => (one && other ? byTime(one, other) : one ? 1 : -1));
    const isCertain = (sample: Sample) => certain !== undefined && byTime(sample, certain) <= 0;
    return { samples: samples.filter(isCertain), hasMore: true };
  };
}

/** The samples that meet a condition: the source is read on until there are as many as asked for. */
export function filterSource<Sample extends TimedSample>(
  source: SampleSource<Sample>,
  isWanted: (sample: Sample) => boolean,
): SampleSource<Sample> {
  return async (fromMs, limit) => {
    const samples: Sample[] = [];
    for await (const page of readAllSamples(source, fromMs)) {
      for (const sample of page) if (isWanted(sample)) samples.push(sample);
      if (samples.length >= limit) return { samples, hasMore: true };
    }
    return { samples, hasMore: false };
  };
}

function byTime(one: TimedSample, other: TimedSample): number {
  return Date.parse(one.sampledAt) - Date.parse(other.sampledAt) || one.id - other.id;
}
