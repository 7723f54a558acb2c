/** The numbers of several streams: each is read when its own field is asked for, and fails alone. */
import { badInput } from '../errors.js';
import { readId } from './nodeId.js';
import type { RangeArguments } from './rangeConnection.js';

export interface StreamSamples {
  streamId: number;
  page: RangeArguments;
}

const MOST_STREAMS = 100;

export function toStreamSamples(streamIds: readonly string[], page: RangeArguments): StreamSamples[] {
  if (streamIds.length > MOST_STREAMS) {
    throw badInput('streamIds', `${streamIds.length} ids are more than ${MOST_STREAMS}.`);
  }
  return streamIds.map((text, index) => ({ streamId: readId('Stream', text, `streamIds[${index}]`), page }));
}
