/** Compiles one operation of a document: from then on, executing it is calling functions made for it. */
import {
  type FieldNode,
  type GraphQLField,
  type GraphQLObjectType,
  getNamedType,
  getNullableType,
  isLeafType,
  isObjectType,
  OperationTypeNode,
  TypeNameMetaFieldDef,
} from 'graphql';
import { collectFields, collectSubfields } from 'graphql/execution/collectFields.js';
import { createNullHandler, type ValueContext } from './completeValue.js';
import { type CompileSelection, compileComposite } from './composite.js';
import { compileField } from './field.js';
import { dependenceOf, type FieldDependence } from './fieldDependence.js';
import type { SelectedField } from './instructions.js';
import type { FieldDetails, OperationDetails } from './resolveInfo.js';
import { createSelectionExecutor, type ExecuteSelection } from './selection.js';
import type { FragmentCacheBudget } from './text/fragmentCache.js';
import { createLeafSerializer, quote } from './text/leafSerializer.js';

export interface CompilerContext {
  operation: OperationDetails;
  /** The values of the variables that decide which fields are asked for. */
  conditions: Readonly<Record<string, unknown>>;
  cacheBudget: FragmentCacheBudget;
  /** Called with the number of fields that were compiled, which happens when the first object of their type comes. */
  onCompiled(fields: number): void;
  /** Whether all this is part of what is remembered as a whole. */
  isMemoised?: boolean;
}

type SubfieldNodes = ReadonlyMap<string, readonly FieldNode[]>;

/** Undefined where graphql-js has to execute it: all but queries, and questions about the schema. */
export function compileOperation(parts: CompilerContext): ExecuteSelection | undefined {
  const { schema, operation, fragments } = parts.operation;
  const type = schema.getQueryType();
  if (operation.operation !== OperationTypeNode.QUERY || !type) return undefined;
  const fields = collectFields(schema, fragments, parts.conditions, type, operation.selectionSet);
  const names = [...fields.values()].map(([node]) => node?.name.value);
  if (names.includes('__schema') || names.includes('__type')) return undefined;
  return compileFields(parts, type, fields);
}

function compileFields(
  parts: CompilerContext,
  parentType: GraphQLObjectType,
  fields: SubfieldNodes,
): ExecuteSelection {
  const isLasting = !parts.isMemoised && isSourceModel(parentType);
  const selected: SelectedField[] = [];
  for (const [responseName, nodes] of fields) {
    const name = nodes[0]?.name.value ?? '';
    const definition = parentType.getFields()[name];
    if (name === TypeNameMetaFieldDef.name) {
      const value = quote(parentType.name);
      selected.push({ responseName, value, dependence: 'nothing', isMemoised: true, specialised: undefined });
    } else if (definition) {
      const field = { operation: parts.operation, parentType, definition, responseName, nodes };
      selected.push(selectField(parts, field, isLasting));
    }
  }
  parts.onCompiled(selected.length + 1);
  return createSelectionExecutor(selected, parts.cacheBudget);
}

/** `isLasting`: objects of the type are the same from run to run, and nothing around them is remembered. */
function selectField(parts: CompilerContext, field: FieldDetails, isLasting: boolean): SelectedField {
  const { responseName, definition, nodes } = field;
  const dependence = dependenceOfSubtree(parts, definition, nodes);
  const isWhole = isLasting && dependence === 'readings';
  const compileBelow = createSubselectionCompiler(
    { ...parts, isMemoised: parts.isMemoised || isWhole },
    dependence,
  );
  return {
    responseName,
    value: compileField(field, compileBelow),
    dependence,
    isMemoised: isWhole || dependence === 'nothing',
    specialised: dependence === 'nothing' ? toSpecialisedField(field) : undefined,
  };
}

function createSubselectionCompiler(
  parts: CompilerContext,
  decides: FieldDependence,
): ValueContext['compileComposite'] {
  const compileSelection: CompileSelection = ({ nodes }, type) =>
    compileFields(parts, type, collectFieldsBelow(parts, type, nodes));
  const cacheBudget = decides === 'nothing' ? parts.cacheBudget : undefined;
  return (field, type) => compileComposite(field, type, { compileSelection, cacheBudget });
}

/** The types of what the sources keep: each of them has an id of the graph's own. */
function isSourceModel(type: GraphQLObjectType): boolean {
  return type.getInterfaces().some(({ name }) => name === 'Node');
}

/** Of a plain field. */
function toSpecialisedField(field: FieldDetails): SelectedField['specialised'] {
  const { type, resolve, name } = field.definition;
  const named = getNullableType(type);
  if (!isLeafType(named)) return undefined;
  const read = resolve as ((source: object) => unknown) | undefined;
  return { read: read ?? name, serialize: createLeafSerializer(named, createNullHandler({ type, field })) };
}

function collectFieldsBelow(
  { operation: { schema, fragments }, conditions }: CompilerContext,
  type: GraphQLObjectType,
  nodes: readonly FieldNode[],
): SubfieldNodes {
  return collectSubfields(schema, fragments, conditions, type, nodes);
}

/** What decides, besides an object, on what one of its fields answers and on all that is asked below it. */
function dependenceOfSubtree(
  parts: CompilerContext,
  { type, resolve }: GraphQLField<unknown, unknown>,
  nodes: readonly FieldNode[],
): FieldDependence {
  const own = resolve ? dependenceOf(resolve) : 'nothing';
  const named = getNamedType(type);
  if (!isObjectType(named)) return isLeafType(named) ? own : 'more';
  const below = [...collectFieldsBelow(parts, named, nodes).values()].map((subnodes): FieldDependence => {
    const definition = named.getFields()[subnodes[0]?.name.value ?? ''];
    return definition ? dependenceOfSubtree(parts, definition, subnodes) : 'nothing';
  });
  const all = [own, ...below];
  if (all.includes('more')) return 'more';
  return all.includes('readings') ? 'readings' : 'nothing';
}
