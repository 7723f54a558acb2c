/** Loads what a typed id names. */

import type { MaybePromise } from '../lib/maybePromise.js';
import type { Channel } from '../sources/channels.js';
import type { Device } from '../sources/devices.js';
import type { Organization } from '../sources/organizations.js';
import type { ImageSample } from '../sources/samples.js';
import type { Site } from '../sources/sites.js';
import type { Sources } from '../sources/sources.js';
import type { Stream } from '../sources/streams.js';
import type { User } from '../sources/users.js';
import type { NodeId, NodeType } from './nodeId.js';

export type NodeModel = Organization | User | Site | Device | Channel | Stream | ImageSample;

const loaders = {
  Organization: ({ organizations }: Sources, id: number) => organizations.byId(id),
  User: ({ users }: Sources, id: number) => users.byId(id),
  Site: ({ sites }: Sources, id: number) => sites.byId(id),
  Device: ({ devices }: Sources, id: number) => devices.byId(id),
  Channel: ({ channels }: Sources, id: number) => channels.byId(id),
  Stream: ({ streams }: Sources, id: number) => streams.byId(id),
  ImageSample: ({ samples }: Sources, id: number) => samples.image(id),
} satisfies Record<NodeType, (sources: Sources, id: number) => MaybePromise<NodeModel | null>>;

/** Null where there is no such thing. */
export function loadNode(sources: Sources, { type, id }: NodeId): MaybePromise<NodeModel | null> {
  return loaders[type](sources, id);
}
