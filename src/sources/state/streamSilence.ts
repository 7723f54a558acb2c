/** Finds the streams that have sent no number for a time, without a call for streams that the batches decide on. */
import type { StreamReference } from '../entities/customAttributes.js';
import { measuresNumbers } from '../entities/streams.js';
import type { ScalarSample } from '../samples/samples.js';
import type { StateSources } from './stateSources.js';

type SilenceStream = StreamReference & { units: string };

/** `none`: the stream has no numbers and is not expected to have any. */
export type Silence = 'silent' | 'heard' | 'none';

/**
 * Decides from the newest sample of a stream, as far as batches show it. `newest` is undefined where no batch has one,
 * `coveredSinceMs` where no batch covers all streams. Undefined: only the stream's last sample can tell.
 */
function decideSilence(
  stream: Pick<SilenceStream, 'units'>,
  newest: Pick<ScalarSample, 'sampledAt'> | undefined,
  coveredSinceMs: number | undefined,
  sinceMs: number,
): Silence | undefined {
  if (newest !== undefined) return Date.parse(newest.sampledAt) >= sinceMs ? 'heard' : 'silent';
  const isCovered = coveredSinceMs !== undefined && coveredSinceMs <= sinceMs;
  return isCovered && measuresNumbers(stream) ? 'silent' : undefined;
}

/** The same, from the last sample of the stream; null if it has none. */
function decideByLast(stream: SilenceStream, last: ScalarSample | null, sinceMs: number): Silence {
  if (last === null) return measuresNumbers(stream) ? 'silent' : 'none';
  return Date.parse(last.sampledAt) >= sinceMs ? 'heard' : 'silent';
}

export type StreamSilence = ReturnType<typeof createStreamSilence>;

export function createStreamSilence({ samples }: Pick<StateSources, 'samples'>, nowMs: () => number) {
  /** Decides from the batches of the newest samples; undefined for a stream that they do not decide on. */
  async function fromBatches(
    streams: readonly SilenceStream[],
    sinceMs: number,
  ): Promise<(Silence | undefined)[]> {
    const { newest, coveredSinceMs } = await samples.recent(streams);
    return streams.map((stream) => decideSilence(stream, newest.get(stream.id), coveredSinceMs, sinceMs));
  }

  const fromLast = async (stream: SilenceStream, sinceMs: number): Promise<Silence> =>
    decideByLast(stream, await samples.last(stream), sinceMs);

  /** For each stream whether it has sent a number in the last `durationMs`. */
  async function silenceOfStreams(streams: readonly SilenceStream[], durationMs: number): Promise<Silence[]> {
    const sinceMs = nowMs() - durationMs;
    const decided = await fromBatches(streams, sinceMs);
    return Promise.all(streams.map(async (stream, index) => decided[index] ?? fromLast(stream, sinceMs)));
  }

  /** For each group of streams whether any of them has sent a number. A stream that has makes calls for the others needless. */
  async function silenceOfGroups(
    groups: readonly (readonly SilenceStream[])[],
    durationMs: number,
  ): Promise<Silence[]> {
    const sinceMs = nowMs() - durationMs;
    const streams = groups.flat();
    const decided = await fromBatches(streams, sinceMs);
    const byId = new Map(streams.map(({ id }, index) => [id, decided[index]]));
    return Promise.all(
      groups.map(async (group) => {
        if (group.some(({ id }) => byId.get(id) === 'heard')) return 'heard';
        const all = await Promise.all(
          group.map((stream) => byId.get(stream.id) ?? fromLast(stream, sinceMs)),
        );
        return (['heard', 'silent'] as const).find((silence) => all.includes(silence)) ?? 'none';
      }),
    );
  }

  return { silenceOfStreams, silenceOfGroups };
}
