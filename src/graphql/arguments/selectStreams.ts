/** Which streams of a site a shared chart is about. */
import { createBadInputError } from '../../errors.js';
import type { Stream } from '../../sources/entities/streams.js';
import { readId } from './nodeId.js';

const MAX_STREAMS = 50;

export interface StreamSelection {
  streamIds?: readonly string[] | null | undefined;
  type?: string | null | undefined;
}

/** Throws BAD_USER_INPUT for a stream that is not the site's, and where neither or both of the ways are given. */
export function selectStreams(streams: readonly Stream[], { streamIds, type }: StreamSelection): number[] {
  if ((streamIds == null) === (type == null))
    throw createBadInputError('streamIds', 'give either these or `type`.');
  const chosen =
    streamIds == null ? streamIdsOfType(streams, type ?? '') : streamIds.map(createStreamIdReader(streams));
  if (chosen.length <= MAX_STREAMS) return [...new Set(chosen)];
  throw createBadInputError(
    streamIds == null ? 'type' : 'streamIds',
    `${chosen.length} streams are more than ${MAX_STREAMS}.`,
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
    throw createBadInputError(argument, `${JSON.stringify(text)} is no stream of this site.`);
  };
}
