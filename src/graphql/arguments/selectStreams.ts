/** Selects the streams of a site for `Site.series`. */
import { createBadInputError } from '../../errors.js';
import type { Stream } from '../../sources/entities/streams.js';
import { readId } from './nodeId.js';

const MAX_STREAMS = 50;

export interface StreamSelection {
  streamIds?: readonly string[] | null | undefined;
  type?: string | null | undefined;
}

/** Throws BAD_USER_INPUT for a stream of another site, and unless exactly one of `streamIds` and `type` is set. */
export function selectStreams(streams: readonly Stream[], { streamIds, type }: StreamSelection): number[] {
  if ((streamIds == null) === (type == null))
    throw createBadInputError('streamIds', 'set either `streamIds` or `type`.');
  const selected =
    streamIds == null ? streamIdsOfType(streams, type ?? '') : streamIds.map(createStreamIdReader(streams));
  if (selected.length <= MAX_STREAMS) return [...new Set(selected)];
  throw createBadInputError(
    streamIds == null ? 'type' : 'streamIds',
    `${selected.length} streams exceed the limit of ${MAX_STREAMS}.`,
  );
}

function streamIdsOfType(streams: readonly Stream[], type: string): number[] {
  const name = type.toLowerCase();
  return streams.filter((stream) => stream.type?.name?.toLowerCase() === name).map(({ id }) => id);
}

function createStreamIdReader(streams: readonly Stream[]) {
  const own = new Set(streams.map(({ id }) => id));
  return (text: string, index: number) => {
    const argument = `streamIds[${index}]`;
    const id = readId('Stream', text, argument);
    if (own.has(id)) return id;
    throw createBadInputError(argument, `${JSON.stringify(text)} is not a stream of this site.`);
  };
}
