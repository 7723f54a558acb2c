/** Loads what a typed id names. */

import type { MaybePromise } from '../../lib/maybePromise.js';
import type { Channel } from '../../sources/entities/channels.js';
import type { Device } from '../../sources/entities/devices.js';
import type { Organization } from '../../sources/entities/organizations.js';
import type { Site } from '../../sources/entities/sites.js';
import type { Stream } from '../../sources/entities/streams.js';
import type { User } from '../../sources/entities/users.js';
import type { ImageSample, RfidSample, ScalarSample } from '../../sources/samples/samples.js';
import type { SampleKey } from '../../sources/samples/samplesById.js';
import type { Sources } from '../../sources/sources.js';
import type { EntityType, NodeId, StreamSampleType } from '../arguments/nodeId.js';

export type NodeModel =
  | Organization
  | User
  | Site
  | Device
  | Channel
  | Stream
  | ScalarSample
  | ImageSample
  | RfidSample;

const entityLoaders = {
  Organization: ({ organizations }: Sources, id: number) => organizations.byId(id),
  User: ({ users }: Sources, id: number) => users.byId(id),
  Site: ({ sites }: Sources, id: number) => sites.byId(id),
  Device: ({ devices }: Sources, id: number) => devices.byId(id),
  Channel: ({ channels }: Sources, id: number) => channels.byId(id),
  Stream: ({ streams }: Sources, id: number) => streams.byId(id),
  ImageSample: ({ samples }: Sources, id: number) => samples.image(id),
} satisfies Record<EntityType, (sources: Sources, id: number) => MaybePromise<NodeModel | null>>;

const sampleLoaders = {
  ScalarSample: ({ samples }: Sources, key: SampleKey) => samples.scalarById(key),
  RfidSample: ({ samples }: Sources, key: SampleKey) => samples.rfidReadById(key),
} satisfies Record<StreamSampleType, (sources: Sources, key: SampleKey) => MaybePromise<NodeModel | null>>;

/** Null where there is no such thing. */
export function loadNode(sources: Sources, nodeId: NodeId): MaybePromise<NodeModel | null> {
  return 'streamId' in nodeId
    ? sampleLoaders[nodeId.type](sources, nodeId)
    : entityLoaders[nodeId.type](sources, nodeId.id);
}
