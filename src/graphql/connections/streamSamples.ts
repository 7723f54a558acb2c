/** The samples of several streams. Each stream is read when its `samples` field is resolved, and fails alone. */
import { createBadInputError } from '../../errors.js';
import { readId } from '../arguments/nodeId.js';
import type { RangeArguments } from './sampleConnection.js';

export interface StreamSamples {
  streamId: number;
  page: RangeArguments;
}

const MAX_STREAMS = 100;

export function toStreamSamples(streamIds: readonly string[], page: RangeArguments): StreamSamples[] {
  if (streamIds.length > MAX_STREAMS) {
    throw createBadInputError('streamIds', `${streamIds.length} ids are more than ${MAX_STREAMS}.`);
  }
  return streamIds.map((id, index) => ({ streamId: readId('Stream', id, `streamIds[${index}]`), page }));
}
