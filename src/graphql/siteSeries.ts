/** Which streams of a site a shared chart is about. */
import { badInput } from '../errors.js';
import type { Stream } from '../sources/streams.js';
import { readId } from './nodeId.js';

const MOST_STREAMS = 50;

export interface StreamChoice {
  streamIds?: readonly string[] | null | undefined;
  type?: string | null | undefined;
}

/** Throws BAD_USER_INPUT for a stream that is not the site's, and where neither or both of the ways are given. */
export function chooseStreams(streams: readonly Stream[], { streamIds, type }: StreamChoice): number[] {
  if ((streamIds == null) === (type == null)) throw badInput('streamIds', 'give either these or `type`.');
  const chosen = streamIds == null ? ofType(streams, type ?? '') : streamIds.map(ownId(streams));
  if (chosen.length <= MOST_STREAMS) return [...new Set(chosen)];
  throw badInput(
    streamIds == null ? 'type' : 'streamIds',
    `${chosen.length} streams are more than ${MOST_STREAMS}.`,
  );
}

function ofType(streams: readonly Stream[], type: string): number[] {
  const name = type.toLowerCase();
  return streams.filter((stream) => stream.type?.name?.toLowerCase() === name).map(({ id }) => id);
}

function ownId(streams: readonly Stream[]) {
  const own = new Set(streams.map(({ id }) => id));
  return (text: string, index: number) => {
    const argument = `streamIds[${index}]`;
    const id = readId('Stream', text, argument);
    if (own.has(id)) return id;
    throw badInput(argument, `${JSON.stringify(text)} is no stream of this site.`);
  };
}
