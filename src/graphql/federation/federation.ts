/**
 * The fields by which a Federation router uses the graph as a subgraph. `_entities` reads objects through the same
 * loaders as `nodes`: a batch of representations costs as few REST calls, and the restrictions of callers hold.
 */
import { createBadInputError, GatewayError } from '../../errors.js';
import { parseId, readId } from '../arguments/nodeId.js';
import { loadNode, type NodeModel, type NodeSources, nodeSourceNames } from '../resolvers/Query.js';
import { operationRelation } from '../resolvers/relation.js';
import {
  type EntityKey,
  entityKeys,
  type FederatedType,
  federatedTypes,
  toSubgraphSdl,
} from './subgraphSdl.js';

const MAX_REPRESENTATIONS = 1000;

/** Added to the SDL of the graph. A router knows these definitions, so `_service` leaves them out. */
export const federationDefinitions = `
"An object with \`__typename\` and the fields of one key of this type, as a router sends it."
scalar _Any

"The types that a router can load by a key."
union _Entity = ${federatedTypes.join(' | ')}

"The graph as a subgraph of a larger graph."
type _Service {
  "The SDL with the directives of Federation 2.9."
  sdl: String!
}

extend type Query {
  "Loads entities for a router, in the order of \`representations\`. An item is null if nothing has its key."
  _entities("At most ${MAX_REPRESENTATIONS}." representations: [_Any!]!): [_Entity]!
    @listSize(slicingArguments: ["representations"])

  "Describes this subgraph to a router."
  _service: _Service!
}
`;

/** The resolvers of `federationDefinitions`. `typeDefinitions`: the SDL of the graph without them. */
export function createFederationResolvers(typeDefinitions: string) {
  const service = { sdl: toSubgraphSdl(typeDefinitions) };
  return {
    Query: {
      _entities: operationRelation(
        nodeSourceNames,
        (_: unknown, { representations }: { representations: readonly unknown[] }, sources) =>
          loadEntities(sources, representations),
      ),
      _service: () => service,
    },
  };
}

type Entity = NodeModel | null;

/** The types that a router can load, by name. */
const entityTypes = new Map<unknown, { type: FederatedType; keys: readonly EntityKey[] }>(
  federatedTypes.map((type) => [type, { type, keys: entityKeys[type] }]),
);

/** An invalid representation is an error in its place alone. */
function loadEntities(
  sources: NodeSources,
  representations: readonly unknown[],
): (Entity | Error | Promise<Entity>)[] {
  if (representations.length > MAX_REPRESENTATIONS) {
    const problem = `${representations.length} representations are more than ${MAX_REPRESENTATIONS}.`;
    throw createBadInputError('representations', problem);
  }
  return representations.map((representation, index) => {
    try {
      return loadEntity(sources, representation, index);
    } catch (error) {
      if (error instanceof GatewayError) return error;
      throw error;
    }
  });
}

/** Throws BAD_USER_INPUT. Writes paths for errors alone: that of each representation would take longer than loading it. */
function loadEntity(sources: NodeSources, representation: unknown, index: number): Entity | Promise<Entity> {
  const fields =
    typeof representation === 'object' ? (representation as Record<string, unknown> | null) : null;
  const entity = entityTypes.get(fields?.['__typename']);
  if (!fields || !entity) {
    throw createBadInputError(toPath(index), `__typename must be one of ${federatedTypes.join(', ')}.`);
  }
  const { type, keys } = entity;
  const key = keys.find((name) => fields[name] != null);
  if (!key) throw createBadInputError(toPath(index), `A ${type} needs one of ${keys.join(', ')}.`);
  const text = toKeyText(fields[key]);
  if (key === 'serialNumber') return sources.devices.bySerialNumber(text);
  const id = parseId(type, text) ?? readId(type, text, `${toPath(index)}.${key}`);
  return loadNode(sources, { type, id });
}

function toPath(index: number): string {
  return `representations[${index}]`;
}

/** Routers may send a number where the key is an id. Other values read as no valid key. */
function toKeyText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
