/** The numbers of several streams: each is read when its own field is asked for, and fails alone. */
import { createBadInputError } from '../../errors.js';
import { readId } from '../arguments/nodeId.js';
import type { RangeArguments } from './rangeConnection.js';

export interface StreamSamples {
  streamId: number;
  page: RangeArguments;
}

const MAX_STREAMS = 100;

export function toStreamSamples(streamIds: readonly string[], page: RangeArguments): StreamSamples[] {
  if (streamIds.length > MAX_STREAMS) {
    throw createBadInputError('streamIds', `${streamIds.length} ids are more than ${MAX_STREAMS}.`);
  }
  return streamIds.map((text, index) => ({ streamId: readId('Stream', text, `streamIds[${index}]`), page }));
}
