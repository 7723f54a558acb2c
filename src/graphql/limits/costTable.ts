/** Reads `@cost` and `@listSize` from the schema into a table once, so that estimates need no AST of the schema. */
import {
  type ConstDirectiveNode,
  type GraphQLEnumType,
  type GraphQLField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLNamedInputType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  valueFromASTUntyped,
} from 'graphql';
import { toRecord } from '../../lib/records.js';

export interface ListSize {
  /** The assumed maximum number of items; undefined if only arguments bound it. */
  assumedSize: number | undefined;
  /** Arguments that bound the number of items: numbers, or lists whose length counts. */
  slicingArguments: readonly string[];
  /**
   * Like `slicingArguments`, but for arguments of the nearest enclosing field that has them. `input.attributes` is the
   * field of an input object.
   */
  enclosingArguments: readonly string[];
  /** A range argument and an interval argument, if the list has one item per interval; otherwise empty. */
  intervalArguments: readonly string[];
  /**
   * List arguments, and how many items of the result each of their items contributes. The bound is multiplied by
   * the sum.
   */
  factors: readonly { argument: string; size: number }[];
  /** For a field that returns a connection: the fields of the connection that contain the items. */
  sizedFields: readonly string[];
}

export interface FieldCostRules {
  weight: number;
  /** Additional cost for each day of the argument `range`. */
  perDay: number;
  /** The type of the field without list and non-null wrappers. */
  typeName: string;
  isLeaf: boolean;
  isList: boolean;
  size: ListSize | undefined;
  /** The default values of all arguments; undefined for an argument without a default. */
  defaults: ReadonlyMap<string, unknown>;
  /** Its arguments that take lists. */
  listArguments: ReadonlySet<string>;
  /**
   * Its arguments that `enclosingArguments` of fields within it refer to. `path`: as written there. `name`: the
   * argument. `inner`: the fields of input objects that lead to the list.
   */
  enclosing: readonly { path: string; name: string; inner: readonly string[] }[];
  /** Its arguments whose values may cost something, and the cost of a value. */
  weighed: readonly { name: string; weightOf: WeightOf }[];
}

/** The cost of a provided value of an argument. Unknown fields cost nothing: validation refuses them. */
type WeightOf = (value: unknown) => number;

/** By type name and field name. */
export type CostTable = ReadonlyMap<string, ReadonlyMap<string, FieldCostRules>>;

/** A scalar is only serialized; an object is resolved field by field. */
export const LEAF_WEIGHT = 0.1;
export const OBJECT_WEIGHT = 1;

export function createCostTable(schema: GraphQLSchema): CostTable {
  const types = Object.values(schema.getTypeMap()).filter(
    (type) => isObjectType(type) || isInterfaceType(type),
  );
  const fields = types.flatMap((type) => Object.values(type.getFields()));
  const enclosing = new Set(fields.flatMap((field) => listSizeOf(field)?.enclosingArguments ?? []));
  return new Map(
    types.map((type) => [
      type.name,
      new Map(
        Object.values(type.getFields()).map((field) => [field.name, toFieldCostRules(field, enclosing)]),
      ),
    ]),
  );
}

function toFieldCostRules(
  field: GraphQLField<unknown, unknown>,
  enclosing: ReadonlySet<string>,
): FieldCostRules {
  const type = getNamedType(field.type);
  const cost = readDirective(field.astNode?.directives ?? [], 'cost');
  return {
    weight: toNumber(cost?.['weight']) ?? 0,
    perDay: toNumber(cost?.['perDay']) ?? 0,
    typeName: type.name,
    isLeaf: isLeafType(type),
    isList: isListOf(field.type),
    size: listSizeOf(field),
    defaults: new Map(field.args.map(({ name, defaultValue }) => [name, defaultValue])),
    listArguments: new Set(field.args.filter((one) => isListOf(one.type)).map(({ name }) => name)),
    enclosing: [...enclosing]
      .map((path) => {
        const [name = '', ...inner] = path.split('.');
        return { path, name, inner };
      })
      .filter(({ name }) => field.args.some((argument) => argument.name === name)),
    weighed: field.args.flatMap(({ name, type: argumentType }) => {
      const weightOf = createWeightOf(getNamedType(argumentType));
      return weightOf ? [{ name, weightOf }] : [];
    }),
  };
}

/** Undefined for a type whose values cost nothing. Input types that contain themselves do not exist here. */
function createWeightOf(type: GraphQLNamedInputType): WeightOf | undefined {
  if (isEnumType(type)) return createEnumWeightOf(type);
  return isInputObjectType(type) ? createObjectWeightOf(type) : undefined;
}

function createEnumWeightOf(type: GraphQLEnumType): WeightOf | undefined {
  const weights = new Map(type.getValues().map(({ name, astNode }) => [name, weightIn(astNode)]));
  if ([...weights.values()].every((weight) => weight === 0)) return undefined;
  return (value) => (typeof value === 'string' ? (weights.get(value) ?? 0) : 0);
}

function createObjectWeightOf(type: GraphQLInputObjectType): WeightOf | undefined {
  const fields = Object.values(type.getFields()).flatMap(({ name, astNode, type: fieldType }) => {
    const weight = weightIn(astNode);
    const inner = createWeightOf(getNamedType(fieldType));
    return weight > 0 || inner ? [{ name, weight, inner }] : [];
  });
  if (fields.length === 0) return undefined;
  return (value) => {
    const record = toRecord(value);
    return fields.reduce((sum, { name, weight, inner }) => {
      const own = record[name];
      return own == null ? sum : sum + weight + (inner?.(own) ?? 0);
    }, 0);
  };
}

function weightIn(
  node: { directives?: readonly ConstDirectiveNode[] | undefined } | null | undefined,
): number {
  return toNumber(readDirective(node?.directives ?? [], 'cost')?.['weight']) ?? 0;
}

function isListOf(type: GraphQLOutputType | GraphQLInputType): boolean {
  return isListType(isNonNullType(type) ? type.ofType : type);
}

function listSizeOf({ astNode }: GraphQLField<unknown, unknown>): ListSize | undefined {
  const values = readDirective(astNode?.directives ?? [], 'listSize');
  return (
    values && {
      assumedSize: toNumber(values['assumedSize']),
      slicingArguments: toNames(values['slicingArguments']),
      enclosingArguments: toNames(values['enclosingArguments']),
      intervalArguments: toNames(values['intervalArguments']),
      factors: Array.isArray(values['factors']) ? values['factors'] : [],
      sizedFields: toNames(values['sizedFields']),
    }
  );
}

function readDirective(
  directives: readonly ConstDirectiveNode[],
  name: string,
): Record<string, unknown> | undefined {
  const directive = directives.find((candidate) => candidate.name.value === name);
  const values = directive?.arguments?.map((argument) => [
    argument.name.value,
    valueFromASTUntyped(argument.value),
  ]);
  return values && Object.fromEntries(values);
}

function toNumber(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

function toNames(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((name) => typeof name === 'string') : [];
}
