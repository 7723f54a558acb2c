/** Finds every path through the schema that leads to an object, and generates selections of the fields below. */
import {
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isLeafType,
  isObjectType,
  isRequiredArgument,
} from 'graphql';
import { required, STILL_NOW_MS } from '../gateway.js';

interface Edge {
  /** Such as `Site.devices`. */
  name: string;
  type: string;
  field: GraphQLField<unknown, unknown>;
}

/** Every field of every object type, root types included, that returns objects. */
export function listEdges(schema: GraphQLSchema): Edge[] {
  return Object.values(schema.getTypeMap())
    .filter((type) => isObjectType(type) && !type.name.startsWith('__'))
    .flatMap((type) =>
      Object.values(isObjectType(type) ? type.getFields() : {})
        .filter((field) => !isLeafType(getNamedType(field.type)))
        .map((field) => ({ name: `${type.name}.${field.name}`, type: type.name, field })),
    );
}

const at = (hours: number) => JSON.stringify(new Date(STILL_NOW_MS + hours * 3_600_000).toISOString());

/** Required arguments of fields other than root fields. */
const values: Readonly<Record<string, string>> = {
  since: at(-24),
  range: `{ from: ${at(-6)}, to: ${at(0)} }`,
  every: '{ minutes: 60 }',
  from: '{ latitude: 39.1, longitude: -84.51 }',
  type: '"Pressure"',
  p: '50',
};

/** Arguments of which one of several is required, which the schema cannot express. */
const alternatives: readonly string[] = ['type'];

function writeArguments(field: GraphQLField<unknown, unknown>): string {
  const needed = field.args.filter((arg) => isRequiredArgument(arg) || alternatives.includes(arg.name));
  const written = needed.map(({ name }) => `${name}: ${required(values[name], `value of ${name}`)}`);
  return written.length > 0 ? `(${written.join(', ')})` : '';
}

/** The field with all its scalars, and with further objects for this number of levels. */
export function writeField(field: GraphQLField<unknown, unknown>, levels: number, given?: string): string {
  return `${field.name}${given ?? writeArguments(field)} ${writeSelection(getNamedType(field.type), levels)}`;
}

function writeSelection(type: GraphQLNamedType, levels: number): string {
  if (isLeafType(type)) return '';
  if (isAbstractType(type)) return '{ __typename id }';
  const fields = isObjectType(type) ? Object.values(type.getFields()) : [];
  const leaves = fields.filter((field) => isLeafType(getNamedType(field.type)));
  const others = levels > 0 ? fields.filter((field) => !leaves.includes(field)) : [];
  const parts = [
    ...leaves.map((field) => writeField(field, 0)),
    ...others.map((field) => writeField(field, levels - 1)),
  ];
  return `{ __typename ${parts.join(' ')} }`;
}
