/**
 * The fields by which a Federation router uses the graph as a subgraph. `_entities` reads objects through the same
 * loaders as `nodes`: a batch of representations costs as few REST calls, and the restrictions of callers hold.
 */
import { createBadInputError, GatewayError } from '../../errors.js';
import { readId } from '../arguments/nodeId.js';
import { loadNode, type NodeModel, type NodeSources, nodeSourceNames } from '../resolvers/Query.js';
import { operationRelation } from '../resolvers/relation.js';
import { entityKeys, type FederatedType, federatedTypes, toSubgraphSdl } from './subgraphSdl.js';

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
      return loadEntity(sources, representation, `representations[${index}]`);
    } catch (error) {
      if (error instanceof GatewayError) return error;
      throw error;
    }
  });
}

/** `path`: names the representation in errors. Throws BAD_USER_INPUT. */
function loadEntity(sources: NodeSources, representation: unknown, path: string): Entity | Promise<Entity> {
  const fields =
    typeof representation === 'object' ? (representation as Record<string, unknown> | null) : null;
  const type = federatedTypes.find((name) => name === fields?.['__typename']);
  if (!fields || !type) {
    throw createBadInputError(path, `__typename must be one of ${federatedTypes.join(', ')}.`);
  }
  const key = entityKeys[type].find((name) => fields[name] != null);
  if (!key) throw createBadInputError(path, `A ${type} needs one of ${entityKeys[type].join(', ')}.`);
  return loadByKey(sources, type, { name: key, text: toKeyText(fields[key]), path: `${path}.${key}` });
}

interface Key {
  name: string;
  text: string;
  path: string;
}

function loadByKey(sources: NodeSources, type: FederatedType, { name, text, path }: Key) {
  return name === 'serialNumber'
    ? sources.devices.bySerialNumber(text)
    : loadNode(sources, { type, id: readId(type, text, path) });
}

/** Routers may send a number where the key is an id. Other values read as no valid key. */
function toKeyText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
