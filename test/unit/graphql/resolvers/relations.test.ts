/** Every relation of the schema is declared, and no declaration promises more than the schema allows. */
import {
  extendSchema,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isInterfaceType,
  isObjectType,
  isUnionType,
  parse,
} from 'graphql';
import { describe, expect, it } from 'vitest';
import { dependenceOf, type FieldDependence } from '../../../../src/execution/fieldDependence.js';
import { findPrefetch } from '../../../../src/graphql/prefetch.js';
import { createSchema } from '../../../../src/graphql/schema.js';

type AnyField = GraphQLField<unknown, unknown>;

const schema = createSchema();
/** Their fields are writes and events. */
const rootsWithoutRelations = ['Mutation', 'Subscription'];

function fieldsOf(type: GraphQLNamedType): AnyField[] {
  return isObjectType(type) ? Object.values(type.getFields()) : [];
}

function isNode(type: GraphQLNamedType): boolean {
  if (isUnionType(type)) return type.getTypes().some(isNode);
  if (type.name === 'Node') return true;
  return (isObjectType(type) || isInterfaceType(type)) && type.getInterfaces().some(isNode);
}

function objectTypesOf(of: GraphQLSchema) {
  return Object.values(of.getTypeMap())
    .filter(isObjectType)
    .filter(({ name }) => !name.startsWith('__'));
}

/** Fields whose resolver is not declared, and fields without a resolver that lead from a reusable object to a node. */
function undeclaredRelations(of: GraphQLSchema): string[] {
  const undeclared = objectTypesOf(of)
    .filter(({ name }) => !rootsWithoutRelations.includes(name))
    .flatMap((type) =>
      fieldsOf(type)
        .filter(({ resolve, name }) => resolve && !findPrefetch(type, name))
        .map(({ name }) => `${type.name}.${name}`),
    );
  const reusable = new Set<GraphQLNamedType>(objectTypesOf(of).filter(isNode));
  for (const type of reusable) {
    for (const field of fieldsOf(type)) {
      const result = getNamedType(field.type);
      if (!field.resolve && isNode(result)) undeclared.push(`${type.name}.${field.name}`);
      if (dependence(field) !== 'request' && isObjectType(result)) reusable.add(result);
    }
  }
  return undeclared;
}

/** A field without a resolver is a property of its object. */
function dependence({ resolve }: AnyField): FieldDependence {
  return resolve ? dependenceOf(resolve) : 'object';
}

function* declaredRelations(): Generator<{ name: string; field: AnyField }> {
  for (const type of objectTypesOf(schema)) {
    for (const field of fieldsOf(type)) {
      if (findPrefetch(type, field.name)) yield { name: `${type.name}.${field.name}`, field };
    }
  }
}

describe('relations of the schema', () => {
  it('are all declared', () => {
    expect(undeclaredRelations(schema)).toEqual([]);
    expect([...declaredRelations()].length).toBeGreaterThan(90);
  });

  it('are missed where one is not declared', () => {
    const extended = extendSchema(
      schema,
      parse('extend type Site { neighbour: Site } extend type ThresholdLevel { streams: [Stream!] }'),
    );
    expect(undeclaredRelations(extended).sort()).toEqual(['Site.neighbour', 'ThresholdLevel.streams']);
  });

  it('depend on the operation where they have arguments', () => {
    const reusable = [...declaredRelations()].filter(({ field }) => dependence(field) !== 'request');
    // The results of this one are reused only if its argument is a constant.
    const withArguments = ['Device.lastHealth'];
    expect(reusable.filter(({ field }) => field.args.length > 0).map(({ name }) => name)).toEqual(
      withArguments,
    );
  });

  it('have marks in the schema, which the fragment cache reads', () => {
    const marks = new Map([...declaredRelations()].map(({ name, field }) => [name, dependence(field)]));
    expect(marks.get('Site.id')).toBe('object');
    expect(marks.get('Site.devices')).toBe('sources');
    expect(marks.get('Site.samplesSince')).toBe('request');
  });
});
