/** Generates random operations over a schema: aliases, fragments, repeated fields that merge, conditions, variables. */
import {
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isInterfaceType,
  isLeafType,
  isObjectType,
  parse,
  validate,
} from 'graphql';
import { seededHash } from '../../../src/sandbox/seed/seededNoise.js';
import { createRandom, type Random } from '../random.js';
import { type ArgumentWriter, type ScalarValues, type Variables, writeArguments } from './randomArguments.js';

export interface RandomOperation {
  query: string;
  variables: Readonly<Record<string, unknown>>;
}

interface OperationChoices {
  schema: GraphQLSchema;
  scalars: ScalarValues;
  /** Levels of objects. */
  depth: number;
  /** The most fields, fragments and repetitions in one selection set. */
  width: number;
  /** Beyond this total, only required parts are generated. */
  size: number;
  /** A query by default. */
  operation?: 'query' | 'mutation';
}

interface Writer extends ArgumentWriter, OperationChoices {
  fragments: string[];
  /** Fields and fragments so far. */
  written: number;
}

/** A valid operation, the same for the same seed. Operations that fail validation are discarded. */
export function createRandomOperation(choices: OperationChoices, seed: number): RandomOperation {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const operation = writeOperation(choices, createRandom(seededHash(seed, attempt)));
    if (validate(choices.schema, parse(operation.query), undefined, { maxErrors: 1 }).length === 0) {
      return operation;
    }
  }
  throw new Error(`No valid operation came of the seed ${seed}.`);
}

function writeOperation(choices: OperationChoices, random: Random): RandomOperation {
  const variables: Variables = { declared: [], values: {} };
  const writer: Writer = { ...choices, random, variables, fragments: [], written: 0 };
  const { operation = 'query' } = choices;
  const root = operation === 'query' ? choices.schema.getQueryType() : choices.schema.getMutationType();
  if (!root) throw new Error(`The schema has no ${operation}.`);
  const selection = writeSelection(root, choices.depth, writer);
  const { declared, values } = variables;
  const head = declared.length > 0 ? `${operation} (${declared.join(', ')})` : operation;
  return { query: [`${head} ${selection}`, ...writer.fragments].join('\n'), variables: values };
}

function writeSelection(type: GraphQLNamedType, depth: number, writer: Writer): string {
  const { random, width, size } = writer;
  const length = writer.written > size ? 1 : 1 + random.below(width);
  const parts = Array.from({ length }, () => writePart(type, depth, writer));
  return `{ ${parts.join(' ')} }`;
}

function writePart(type: GraphQLNamedType, depth: number, writer: Writer): string {
  const { random } = writer;
  writer.written += 1;
  if (writer.written > 2 * writer.size) return '__typename';
  if (isAbstractType(type) ? random.chance(0.6) : random.chance(0.12))
    return writeFragment(type, depth, writer);
  const fields = isObjectType(type) || isInterfaceType(type) ? Object.values(type.getFields()) : [];
  const fitting = depth > 0 ? fields : fields.filter((field) => isLeafType(getNamedType(field.type)));
  if (fitting.length === 0 || random.chance(0.08)) return writeTypename(writer);
  const field = random.pick(fitting);
  const written = writeField(field, depth, writer);
  return random.chance(0.1) ? `${written} ${writeField(field, depth, writer)}` : written;
}

function writeTypename(writer: Writer): string {
  const alias = writer.random.chance(0.3) ? `type${writer.random.below(3)}: ` : '';
  return `${alias}__typename${writeCondition(writer)}`;
}

function writeField(field: GraphQLField<unknown, unknown>, depth: number, writer: Writer): string {
  const type = getNamedType(field.type);
  const args = writeArguments(field, writer);
  const selection = isLeafType(type) ? '' : ` ${writeSelection(type, depth - 1, writer)}`;
  const alias = writeAlias(field.name, args, writer.random);
  return `${alias}${field.name}${args}${writeCondition(writer)}${selection}`;
}

/** Fields with the same response name have the same arguments, so that they can merge. */
function writeAlias(name: string, args: string, random: Random): string {
  const mark = [...args].reduce((hash, letter) => seededHash(hash, letter.charCodeAt(0)), 0) % 100_000;
  if (args !== '') return `${name}_${mark}: `;
  return random.chance(0.1) ? `${random.pick(['_', 'Z', 'a1'])}${name}: ` : '';
}

function writeCondition({ random, variables }: Writer): string {
  if (!random.chance(0.08)) return '';
  const directive = random.pick(['skip', 'include']);
  if (random.chance(0.4)) return ` @${directive}(if: ${random.chance(0.5)})`;
  const variable = `v${variables.declared.length}`;
  const defaultsTo = random.chance(0.3) ? ` = ${random.chance(0.5)}` : '';
  variables.declared.push(`$${variable}: Boolean!${defaultsTo}`);
  if (defaultsTo === '' || random.chance(0.5)) variables.values[variable] = random.chance(0.5);
  return ` @${directive}(if: $${variable})`;
}

function writeFragment(type: GraphQLNamedType, depth: number, writer: Writer): string {
  const { random, fragments } = writer;
  const condition = random.pick(narrowerTypes(type, writer.schema));
  if (random.chance(0.6)) {
    const on = condition === type && random.chance(0.3) ? '' : ` on ${condition.name}`;
    return `...${on}${writeCondition(writer)} ${writeSelection(condition, depth, writer)}`;
  }
  const selection = writeSelection(condition, depth, writer);
  const name = `F${fragments.length}`;
  fragments.push(`fragment ${name} on ${condition.name} ${selection}`);
  return `...${name}${writeCondition(writer)} ${random.chance(0.2) ? `...${name}` : ''}`;
}

/** The type itself, its interfaces and its possible types. */
function narrowerTypes(type: GraphQLNamedType, schema: GraphQLSchema): GraphQLNamedType[] {
  if (isAbstractType(type)) return [type, ...schema.getPossibleTypes(type), ...schema.getPossibleTypes(type)];
  return [type, ...((type as GraphQLObjectType).getInterfaces?.() ?? [])];
}
