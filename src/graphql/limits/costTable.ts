/** Reads `@cost` and `@listSize` off the schema into a table, once, so that estimating costs no look at directives. */
import {
  type ConstDirectiveNode,
  type GraphQLField,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isInterfaceType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  valueFromASTUntyped,
} from 'graphql';

export interface ListSize {
  /** The most items to reckon with; undefined where the arguments alone say. */
  assumedSize: number | undefined;
  /** Arguments that bound the number of items: numbers, or lists by their length. */
  slicingArguments: readonly string[];
  /** The same of the field around this one that has such arguments, and is the nearest to have them. */
  enclosingArguments: readonly string[];
  /** A time range and an interval, of which there are as many items as fit; or none. */
  intervalArguments: readonly string[];
  /** Where the list is inside what the field answers, as in a connection: the names of those fields. */
  sizedFields: readonly string[];
}

export interface FieldCost {
  /** Of resolving the field once, whatever it answers. */
  weight: number;
  /** More for each day of its argument `range`. */
  perDay: number;
  /** The type it answers, lists and non-null taken away. */
  typeName: string;
  isLeaf: boolean;
  isList: boolean;
  size: ListSize | undefined;
  /** Defaults of its arguments, where there are any. */
  defaults: ReadonlyMap<string, unknown>;
}

/** By type, by field. */
export type CostTable = ReadonlyMap<string, ReadonlyMap<string, FieldCost>>;

/** A value is written down and little else; an object is resolved, field by field. */
export const LEAF_WEIGHT = 0.1;
export const OBJECT_WEIGHT = 1;

export function createCostTable(schema: GraphQLSchema): CostTable {
  const types = Object.values(schema.getTypeMap());
  return new Map(
    types
      .filter((type) => isObjectType(type) || isInterfaceType(type))
      .map((type) => [
        type.name,
        new Map(Object.values(type.getFields()).map((field) => [field.name, toFieldCost(field)])),
      ]),
  );
}

function toFieldCost(field: GraphQLField<unknown, unknown>): FieldCost {
  const type = getNamedType(field.type);
  const directives = field.astNode?.directives ?? [];
  const cost = readDirective(directives, 'cost');
  return {
    weight: toNumber(cost?.['weight']) ?? 0,
    perDay: toNumber(cost?.['perDay']) ?? 0,
    typeName: type.name,
    isLeaf: isLeafType(type),
    isList: isListOf(field.type),
    size: toListSize(readDirective(directives, 'listSize')),
    defaults: new Map(field.args.map(({ name, defaultValue }) => [name, defaultValue])),
  };
}

function isListOf(type: GraphQLOutputType): boolean {
  return isListType(isNonNullType(type) ? type.ofType : type);
}

function toListSize(values: Record<string, unknown> | undefined): ListSize | undefined {
  return (
    values && {
      assumedSize: toNumber(values['assumedSize']),
      slicingArguments: toNames(values['slicingArguments']),
      enclosingArguments: toNames(values['enclosingArguments']),
      intervalArguments: toNames(values['intervalArguments']),
      sizedFields: toNames(values['sizedFields']),
    }
  );
}

function readDirective(
  directives: readonly ConstDirectiveNode[],
  name: string,
): Record<string, unknown> | undefined {
  const directive = directives.find((one) => one.name.value === name);
  const values = directive?.arguments?.map((one) => [one.name.value, valueFromASTUntyped(one.value)]);
  return values && Object.fromEntries(values);
}

function toNumber(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

function toNames(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((name) => typeof name === 'string') : [];
}
