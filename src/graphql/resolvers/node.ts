/** Loads objects by their typed ids. */
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
import type { SourceName } from './relation.js';

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

/** Names of the sources that nodes come from. */
export const nodeSourceNames = [
  'organizations',
  'users',
  'sites',
  'devices',
  'channels',
  'streams',
  'samples',
] as const satisfies readonly SourceName[];

type NodeSources = Pick<Sources, (typeof nodeSourceNames)[number]>;
type NodeLoader<Key> = (sources: NodeSources, key: Key) => NodeModel | null | Promise<NodeModel | null>;

const entityLoaders: Readonly<Record<EntityType, NodeLoader<number>>> = {
  Organization: ({ organizations }, id) => organizations.byId(id),
  User: ({ users }, id) => users.byId(id),
  Site: ({ sites }, id) => sites.byId(id),
  Device: ({ devices }, id) => devices.byId(id),
  Channel: ({ channels }, id) => channels.byId(id),
  Stream: ({ streams }, id) => streams.byId(id),
  ImageSample: ({ samples }, id) => samples.image(id),
};

const sampleLoaders: Readonly<Record<StreamSampleType, NodeLoader<SampleKey>>> = {
  ScalarSample: ({ samples }, key) => samples.scalarById(key),
  RfidSample: ({ samples }, key) => samples.rfidReadById(key),
};

/** Loads the object that a typed id identifies; null where it does not exist. */
export function loadNode(sources: NodeSources, nodeId: NodeId): ReturnType<NodeLoader<unknown>> {
  return 'streamId' in nodeId
    ? sampleLoaders[nodeId.type](sources, nodeId)
    : entityLoaders[nodeId.type](sources, nodeId.id);
}
