/** Clients cache objects by type and `id`, so only types with ids that are unique in the graph have such a field. */
import { type GraphQLInterfaceType, type GraphQLObjectType, isInterfaceType, isObjectType } from 'graphql';
import { describe, expect, it } from 'vitest';
import { nodeTypes } from '../../../src/graphql/arguments/nodeId.js';
import { createSchema } from '../../../src/graphql/schema.js';

type FieldsType = GraphQLObjectType | GraphQLInterfaceType;

const types: readonly FieldsType[] = Object.values(createSchema().getTypeMap())
  .filter((type) => isObjectType(type) || isInterfaceType(type))
  .filter(({ name }) => !name.startsWith('__'));

/** Field names that the normalizing caches of Apollo Client, urql and Relay use as an identity. */
const KEY_FIELDS = ['id', '_id', '__id'];

const hasKeyField = (type: FieldsType) => KEY_FIELDS.some((name) => name in type.getFields());
const isNode = (type: FieldsType) =>
  type.name === 'Node' || type.getInterfaces().some(({ name }) => name === 'Node');

describe('a field named `id`', () => {
  it('is on nodes only', () => {
    expect(types.length).toBeGreaterThan(40);
    expect(types.filter(hasKeyField)).toEqual(types.filter(isNode));
  });

  it('is a global id without arguments, never null', () => {
    for (const type of types.filter(isNode)) {
      const { id } = type.getFields();
      expect([type.name, String(id?.type), id?.args]).toEqual([type.name, 'ID!', []]);
    }
  });

  it('is accepted by `node`, for every type that has one', () => {
    const objects = types.filter((type) => isObjectType(type) && isNode(type));
    expect(objects.map(({ name }) => name).sort()).toEqual([...nodeTypes].sort());
  });
});
