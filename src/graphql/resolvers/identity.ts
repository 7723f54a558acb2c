/** The two fields by which everything in the graph is named, the same for every type. */
import { dependsOnObject } from '../../execution/fieldDependence.js';
import { type StreamSampleType, toNodeId, toStreamSampleId } from '../arguments/nodeId.js';

/** For what the platform numbers but the graph gives no id of its own. */
export const platformIdentity = { platformId: dependsOnObject(({ id }: { id: number }) => String(id)) };

export function identity(type: string) {
  return {
    id: dependsOnObject(({ id }: { id: number }) => toNodeId(type, id)),
    ...platformIdentity,
  };
}

/** For samples that are found through their stream. */
export function streamSampleIdentity(type: StreamSampleType) {
  return {
    id: dependsOnObject((sample: { streamId: number; id: number }) => toStreamSampleId({ ...sample, type })),
    ...platformIdentity,
  };
}
