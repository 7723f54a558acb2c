/** Generates arguments with random values: literals, variables, omitted, null, and at times invalid ones. */
import {
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLInputType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredArgument,
  isRequiredInputField,
} from 'graphql';
import type { Random } from '../random.js';

/** A value as JSON, for variables; printed, it is a literal. */
type ArgumentValue =
  | null
  | boolean
  | number
  | string
  | { readonly enumValue: string }
  | readonly ArgumentValue[]
  | { readonly fields: Readonly<Record<string, ArgumentValue>> }
  | { readonly variable: string };

/** Values for scalars, by the type's name and the argument's path, such as `sites.filter.near.radiusKm`. */
export type ScalarValues = (type: string, path: string, random: Random) => boolean | number | string;

export interface Variables {
  /** Such as `$v1: Int = 3`. */
  readonly declared: string[];
  readonly values: Record<string, unknown>;
}

export interface ArgumentWriter {
  random: Random;
  scalars: ScalarValues;
  variables: Variables;
}

/** With the parentheses; empty without arguments. */
export function writeArguments(
  { name, args }: GraphQLField<unknown, unknown>,
  writer: ArgumentWriter,
): string {
  const given = args.filter((arg) => isRequiredArgument(arg) || writer.random.chance(0.4));
  const written = given.map(
    (arg) => `${arg.name}: ${write(makeValue(arg.type, `${name}.${arg.name}`, writer))}`,
  );
  return written.length > 0 ? `(${written.join(', ')})` : '';
}

function makeValue(type: GraphQLInputType, path: string, writer: ArgumentWriter): ArgumentValue {
  if (writer.random.chance(0.3)) return { variable: declare(type, path, writer) };
  return makePlain(type, path, writer);
}

function declare(type: GraphQLInputType, path: string, writer: ArgumentWriter): string {
  const { random, variables } = writer;
  const variable = `v${variables.declared.length}`;
  const constant = { ...writer, random: { ...random, chance: (p: number) => p !== 0.3 && random.chance(p) } };
  const hasDefault = random.chance(0.2);
  variables.declared.push(
    `$${variable}: ${type}${hasDefault ? ` = ${write(makePlain(type, path, constant))}` : ''}`,
  );
  const mayBeMissing = hasDefault || !isNonNullType(type);
  if (!mayBeMissing || random.chance(0.7)) {
    variables.values[variable] = random.chance(0.03)
      ? { odd: [true] }
      : toJson(makePlain(type, path, constant));
  }
  return variable;
}

function makePlain(type: GraphQLInputType, path: string, writer: ArgumentWriter): ArgumentValue {
  const { random } = writer;
  if (isNonNullType(type)) return makeNonNull(type.ofType, path, writer);
  return random.chance(0.05) ? null : makeNonNull(type, path, writer);
}

function makeNonNull(type: GraphQLInputType, path: string, writer: ArgumentWriter): ArgumentValue {
  const { random, scalars } = writer;
  if (isListType(type)) {
    return Array.from({ length: random.below(4) }, () => makeValue(type.ofType, path, writer));
  }
  if (isEnumType(type)) return { enumValue: random.pick(type.getValues()).name };
  if (!isInputObjectType(type)) return scalars(String(type), path, random);
  const fields = Object.values(type.getFields()).filter(
    (field: GraphQLInputField) => isRequiredInputField(field) || random.chance(0.35),
  );
  return {
    fields: Object.fromEntries(
      fields.map((field) => [field.name, makeValue(field.type, `${path}.${field.name}`, writer)]),
    ),
  };
}

function write(value: ArgumentValue): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (isList(value)) return `[${value.map(write).join(', ')}]`;
  if ('variable' in value) return `$${value.variable}`;
  if ('enumValue' in value) return value.enumValue;
  const fields = Object.entries(value.fields).map(([name, field]) => `${name}: ${write(field)}`);
  return `{ ${fields.join(', ')} }`;
}

function toJson(value: ArgumentValue): unknown {
  if (value === null || typeof value !== 'object') return value;
  if (isList(value)) return value.map(toJson);
  if ('enumValue' in value) return value.enumValue;
  if ('variable' in value) throw new Error('A variable can not hold another.');
  return Object.fromEntries(Object.entries(value.fields).map(([name, field]) => [name, toJson(field)]));
}

function isList(value: ArgumentValue): value is readonly ArgumentValue[] {
  return Array.isArray(value);
}
