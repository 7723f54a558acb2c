/**
 * The fields by which a Federation router uses the graph as a subgraph. `_entities` reads objects through the same
 * loaders as `nodes`: a batch of representations costs as few REST calls, and the restrictions of callers hold.
 */
import {
  type ConstArgumentNode,
  type ConstDirectiveNode,
  type DocumentNode,
  type FieldDefinitionNode,
  Kind,
  type ObjectTypeDefinitionNode,
  parse,
  print,
  type StringValueNode,
  type TypeNode,
  visit,
} from 'graphql';
import { createBadInputError } from '../../errors.js';
import { isRecord } from '../../lib/records.js';
import { parseId, readId } from '../arguments/nodeId.js';
import type { ReadSources } from '../context.js';
import { loadNode, loadOrError, type NodeModel } from './Query.js';
import { operationRelation } from './relation.js';

/** The keys of each entity, in the order of preference of a router. */
const entityKeys = {
  Organization: ['id', 'platformId'],
  User: ['id', 'platformId'],
  Site: ['id', 'platformId'],
  Device: ['id', 'platformId', 'serialNumber'],
  Channel: ['id', 'platformId'],
  Stream: ['id', 'platformId'],
} as const;

type FederatedType = keyof typeof entityKeys;
type EntityKey = (typeof entityKeys)[FederatedType][number];

const federatedTypes = Object.keys(entityKeys) as readonly FederatedType[];

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
        (_: unknown, { representations }: { representations: readonly unknown[] }, sources) =>
          loadEntities(sources, representations),
      ),
      _service: () => service,
    },
  };
}

type Entity = NodeModel | null;

function loadEntities(
  sources: ReadSources,
  representations: readonly unknown[],
): (Entity | Error | Promise<Entity>)[] {
  if (representations.length > MAX_REPRESENTATIONS) {
    const problem = `${representations.length} representations exceed the maximum of ${MAX_REPRESENTATIONS}.`;
    throw createBadInputError('representations', problem);
  }
  return representations.map((representation, index) =>
    loadOrError(() => loadEntity(sources, representation, index)),
  );
}

/**
 * Throws BAD_USER_INPUT. Builds a path only for errors: building one for each representation would take longer
 * than loading it.
 */
function loadEntity(sources: ReadSources, representation: unknown, index: number): Entity | Promise<Entity> {
  const fields = isRecord(representation) ? representation : undefined;
  const type = federatedTypes.find((name) => name === fields?.['__typename']);
  if (!fields || !type) {
    throw createBadInputError(toPath(index), `__typename must be one of ${federatedTypes.join(', ')}.`);
  }
  const keys: readonly EntityKey[] = entityKeys[type];
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

/** Routers may send a number as an id. Other values are treated as an invalid key. */
function toKeyText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/**
 * Fields of the delivery queues. They read or move a position that other programs share, so contracts can leave
 * them out of a public graph by their tag.
 */
const internalFields: ReadonlySet<string> = new Set([
  'Query.sampleBatch',
  'Query.sampleBatchStatus',
  'Mutation.acknowledgeSamples',
  'Mutation.backfillSamples',
]);

const LINK = `extend schema
  @link(
    url: "https://specs.apollo.dev/federation/v2.9"
    import: ["@key", "@shareable", "@tag", "@cost", "@listSize"]
  )
`;

/** `@cost` and `@listSize` have another definition in Federation. Routers deliver `@defer` and `@stream` by themselves. */
const omittedDirectives: ReadonlySet<string> = new Set(['cost', 'listSize', 'defer', 'stream']);

/** Root types, pages and payloads, which other subgraphs have no reason to define. */
const isOwnType = /^(Query|Mutation|Subscription)$|(Connection|Edge|Facets|Payload)$/;

/** The SDL that `_service { sdl }` returns. `typeDefinitions`: the SDL of the graph. */
export function toSubgraphSdl(typeDefinitions: string): string {
  const document = parse(typeDefinitions, { noLocation: true });
  const valueTypes = findValueTypes(document);
  const subgraph: DocumentNode = visit(document, {
    DirectiveDefinition: (node) => (omittedDirectives.has(node.name.value) ? null : undefined),
    // The root types have the usual names, and the schema is extended with the link.
    SchemaDefinition: () => null,
    // Routers do not support `@oneOf` yet. The gateway checks the input itself.
    InputObjectTypeDefinition: (node) => ({
      ...node,
      directives: (node.directives ?? []).filter(({ name }) => name.value !== 'oneOf'),
    }),
    InputValueDefinition: (node) => ({
      ...node,
      directives: (node.directives ?? []).flatMap((one) =>
        one.name.value === 'cost' ? translateCost(one) : [one],
      ),
    }),
    // Federation's `@cost` is not allowed on enum values.
    EnumValueDefinition: (node) => ({
      ...node,
      directives: (node.directives ?? []).filter(({ name }) => name.value !== 'cost'),
    }),
    ObjectTypeDefinition: { leave: (node) => withTypeDirectives(node, valueTypes) },
  });
  return `${LINK}\n${print(subgraph)}\n`;
}

function withTypeDirectives(
  node: ObjectTypeDefinitionNode,
  valueTypes: ReadonlySet<string>,
): ObjectTypeDefinitionNode {
  const typeName = node.name.value;
  const keys = federatedTypes.find((name) => name === typeName);
  const added = [
    ...(keys ? entityKeys[keys].map((key) => directive(`key`, `fields: "${key}"`)) : []),
    ...(valueTypes.has(typeName) ? [directive('shareable')] : []),
  ];
  return {
    ...node,
    directives: [...(node.directives ?? []), ...added],
    fields: (node.fields ?? []).map((field) => withFieldDirectives(typeName, field)),
  };
}

function withFieldDirectives(typeName: string, field: FieldDefinitionNode): FieldDefinitionNode {
  const directives = (field.directives ?? []).flatMap((node) => translateDirective(node, field));
  const isInternal = internalFields.has(`${typeName}.${field.name.value}`);
  return {
    ...field,
    directives: isInternal ? [...directives, directive('tag', 'name: "internal"')] : directives,
  };
}

function translateDirective(node: ConstDirectiveNode, field: FieldDefinitionNode): ConstDirectiveNode[] {
  if (node.name.value === 'cost') return translateCost(node);
  return node.name.value === 'listSize' ? translateListSize(node, field) : [node];
}

/** Federation supports only whole weights, and no weight per day. */
function translateCost(node: ConstDirectiveNode): ConstDirectiveNode[] {
  const weight = argumentOf(node, 'weight')?.value;
  return weight?.kind === Kind.INT || weight?.kind === Kind.FLOAT
    ? [directive('cost', `weight: ${Math.ceil(Number(weight.value))}`)]
    : [];
}

/** Entries of the input of a mutation, which Federation cannot count. */
const ASSUMED_INPUT_ITEMS = 20;

/**
 * In Federation only numbers bound a list, not the length of a list argument, a time range or an enclosing field.
 * A slicing argument may be omitted, because each has a default.
 */
function translateListSize(node: ConstDirectiveNode, field: FieldDefinitionNode): ConstDirectiveNode[] {
  const assumedSize = argumentOf(node, 'assumedSize');
  const sizedFields = argumentOf(node, 'sizedFields');
  const names = namesIn(argumentOf(node, 'slicingArguments'));
  const numbers = names.filter(({ value }) => isIntArgument(field, value));
  const isOfInput = namesIn(argumentOf(node, 'enclosingArguments')).some(({ value }) => value.includes('.'));
  if (!assumedSize && !isOfInput && numbers.length === 0) return [];
  const bounds = [
    assumedSize && print(assumedSize),
    isOfInput ? `assumedSize: ${ASSUMED_INPUT_ITEMS}` : undefined,
    numbers.length > 0 ? `slicingArguments: [${numbers.map(print).join(', ')}]` : undefined,
    sizedFields && print(sizedFields),
    'requireOneSlicingArgument: false',
  ];
  return [directive('listSize', bounds.filter((bound) => bound !== undefined).join(', '))];
}

function namesIn(argument: ConstArgumentNode | undefined): readonly StringValueNode[] {
  const { value } = argument ?? {};
  return value?.kind === Kind.LIST ? value.values.filter((name) => name.kind === Kind.STRING) : [];
}

function isIntArgument(field: FieldDefinitionNode, name: string): boolean {
  const argument = field.arguments?.find((candidate) => candidate.name.value === name);
  return argument !== undefined && namedTypeOf(argument.type) === 'Int' && !isList(argument.type);
}

/**
 * Object types without an identity. Their fields take no arguments, and return only scalars, enums or other types of
 * this kind.
 */
function findValueTypes(document: DocumentNode): ReadonlySet<string> {
  const objects = new Map<string, ObjectTypeDefinitionNode>();
  const leaves = new Set(['ID', 'String', 'Int', 'Float', 'Boolean']);
  for (const node of document.definitions) {
    if (node.kind === Kind.OBJECT_TYPE_DEFINITION) objects.set(node.name.value, node);
    if (node.kind === Kind.SCALAR_TYPE_DEFINITION || node.kind === Kind.ENUM_TYPE_DEFINITION) {
      leaves.add(node.name.value);
    }
  }
  const isValueType = (name: string): boolean => {
    const node = objects.get(name);
    if (!node || (node.interfaces?.length ?? 0) > 0 || isOwnType.test(name)) return false;
    return (node.fields ?? []).every(({ arguments: args = [], type }) => {
      const typeName = namedTypeOf(type);
      return args.length === 0 && (leaves.has(typeName) || isValueType(typeName));
    });
  };
  return new Set([...objects.keys()].filter(isValueType));
}

function directive(name: string, args = ''): ConstDirectiveNode {
  const node = parse(`scalar S @${name}${args === '' ? '' : `(${args})`}`, { noLocation: true })
    .definitions[0];
  const [added] = node?.kind === Kind.SCALAR_TYPE_DEFINITION ? (node.directives ?? []) : [];
  if (!added) throw new Error(`@${name}(${args}) is not a directive.`);
  return added;
}

function argumentOf(node: ConstDirectiveNode, name: string) {
  return node.arguments?.find((argument) => argument.name.value === name);
}

function isList(type: TypeNode): boolean {
  return type.kind === Kind.LIST_TYPE || (type.kind === Kind.NON_NULL_TYPE && isList(type.type));
}

function namedTypeOf(type: TypeNode): string {
  return type.kind === Kind.NAMED_TYPE ? type.name.value : namedTypeOf(type.type);
}
