/** The two fields by which everything in the graph is named, the same for every type. */
import { ofModel } from '../execution/modelField.js';
import { type StreamSampleType, toNodeId, toStreamSampleId } from '../nodeId.js';

/** For what the platform numbers but the graph gives no id of its own. */
export const platformIdentity = { platformId: ofModel(({ id }: { id: number }) => String(id)) };

export function identity(type: string) {
  return {
    id: ofModel(({ id }: { id: number }) => toNodeId(type, id)),
    ...platformIdentity,
  };
}

/** For samples that are found through their stream. */
export function streamSampleIdentity(type: StreamSampleType) {
  return {
    id: ofModel((sample: { streamId: number; id: number }) => toStreamSampleId({ ...sample, type })),
    ...platformIdentity,
  };
}
