/** The two fields by which everything in the graph is named, the same for every type. */
import { toNodeId } from '../nodeId.js';

export function identity(type: string) {
  return {
    id: ({ id }: { id: number }) => toNodeId(type, id),
    platformId: ({ id }: { id: number }) => String(id),
  };
}

/** For what the platform numbers but the graph gives no id of its own. */
export const platformIdentity = { platformId: ({ id }: { id: number }) => String(id) };
