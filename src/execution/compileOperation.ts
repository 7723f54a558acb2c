/** Compiles one operation of a document into functions that resolve its fields and write their JSON text. */
import {
  type FieldNode,
  type GraphQLField,
  type GraphQLObjectType,
  getNamedType,
  getNullableType,
  isLeafType,
  isObjectType,
  Kind,
  OperationTypeNode,
  TypeNameMetaFieldDef,
  type ValueNode,
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
  /** The values of the variables in `@skip` and `@include`. They decide which fields are selected. */
  conditions: Readonly<Record<string, unknown>>;
  cacheBudget: FragmentCacheBudget;
  /** Called with the number of compiled fields when the first object of their type arrives. */
  onCompiled(fields: number): void;
  /** Whether an enclosing fragment cache already stores the text of these fields. */
  isMemoised?: boolean;
}

type SubfieldNodes = ReadonlyMap<string, readonly FieldNode[]>;

/** Returns undefined if graphql-js has to execute the operation: mutations and introspection. The result of a subscription executes one event. */
export function compileOperation(compiler: CompilerContext): ExecuteSelection | undefined {
  const { schema, operation, fragments } = compiler.operation;
  const type = schema.getRootType(operation.operation);
  if (operation.operation === OperationTypeNode.MUTATION || !type) return undefined;
  const fields = collectFields(schema, fragments, compiler.conditions, type, operation.selectionSet);
  const names = [...fields.values()].map(([node]) => node?.name.value);
  if (names.includes('__schema') || names.includes('__type')) return undefined;
  return compileFields(compiler, type, fields);
}

function compileFields(
  compiler: CompilerContext,
  parentType: GraphQLObjectType,
  fields: SubfieldNodes,
): ExecuteSelection {
  const isCacheable = !compiler.isMemoised && isSourceModel(parentType);
  const selected: SelectedField[] = [];
  for (const [responseName, nodes] of fields) {
    const name = nodes[0]?.name.value ?? '';
    const definition = parentType.getFields()[name];
    if (name === TypeNameMetaFieldDef.name) {
      const value = quote(parentType.name);
      selected.push({ responseName, value, dependence: 'object', isMemoised: true, specialised: undefined });
    } else if (definition) {
      const field = { operation: compiler.operation, parentType, definition, responseName, nodes };
      selected.push(selectField(compiler, field, isCacheable));
    }
  }
  compiler.onCompiled(selected.length + 1);
  return createSelectionExecutor(selected, compiler.cacheBudget);
}

/**
 * `isCacheable`: the parent objects are the same in every execution, and no enclosing fragment cache stores their text.
 * Fields that depend only on the object and the sources are then cached with everything below them.
 */
function selectField(compiler: CompilerContext, field: FieldDetails, isCacheable: boolean): SelectedField {
  const { responseName, definition, nodes } = field;
  const dependence = dependenceOfSubtree(compiler, definition, nodes);
  const cachesSubtree = isCacheable && dependence === 'sources';
  const compileSubselection = createSubselectionCompiler(
    { ...compiler, isMemoised: compiler.isMemoised || cachesSubtree },
    dependence,
  );
  return {
    responseName,
    value: compileField(field, compileSubselection),
    dependence,
    isMemoised: cachesSubtree || dependence === 'object',
    specialised: dependence === 'object' ? toSpecialisedField(field) : undefined,
  };
}

function createSubselectionCompiler(
  compiler: CompilerContext,
  dependence: FieldDependence,
): ValueContext['compileComposite'] {
  const compileSelection: CompileSelection = ({ nodes }, type) =>
    compileFields(compiler, type, collectFieldsBelow(compiler, type, nodes));
  const cacheBudget = dependence === 'object' ? compiler.cacheBudget : undefined;
  return (field, type) => compileComposite(field, type, { compileSelection, cacheBudget });
}

/** Whether the sources cache objects of this type and return the same object again. All types with a node id qualify. */
function isSourceModel(type: GraphQLObjectType): boolean {
  return type.getInterfaces().some(({ name }) => name === 'Node');
}

/** Undefined unless the field is a scalar or enum. */
function toSpecialisedField(field: FieldDetails): SelectedField['specialised'] {
  const { type, resolve, name } = field.definition;
  const nullableType = getNullableType(type);
  if (!isLeafType(nullableType)) return undefined;
  const read = resolve as ((source: object) => unknown) | undefined;
  const serialize = createLeafSerializer(nullableType, createNullHandler({ type, field }));
  return { read: read ?? name, serialize };
}

function collectFieldsBelow(
  { operation: { schema, fragments }, conditions }: CompilerContext,
  type: GraphQLObjectType,
  nodes: readonly FieldNode[],
): SubfieldNodes {
  return collectSubfields(schema, fragments, conditions, type, nodes);
}

/** Arguments that are constants are part of the compiled query; variables differ between its executions. */
function dependenceOfField(resolve: object, nodes: readonly FieldNode[]): FieldDependence {
  const dependence = dependenceOf(resolve);
  if (dependence !== 'sources') return dependence;
  const hasVariable = (value: ValueNode): boolean => {
    if (value.kind === Kind.LIST) return value.values.some(hasVariable);
    if (value.kind === Kind.OBJECT) return value.fields.some((field) => hasVariable(field.value));
    return value.kind === Kind.VARIABLE;
  };
  const isVariable = nodes.some((node) => node.arguments?.some(({ value }) => hasVariable(value)));
  return isVariable ? 'request' : dependence;
}

/** The combined dependence of a field and of all fields selected below it. */
function dependenceOfSubtree(
  compiler: CompilerContext,
  { type, resolve }: GraphQLField<unknown, unknown>,
  nodes: readonly FieldNode[],
): FieldDependence {
  const own = resolve ? dependenceOfField(resolve, nodes) : 'object';
  const namedType = getNamedType(type);
  if (!isObjectType(namedType)) return isLeafType(namedType) ? own : 'request';
  const subfields = [...collectFieldsBelow(compiler, namedType, nodes).values()];
  const below = subfields.map((subnodes): FieldDependence => {
    const definition = namedType.getFields()[subnodes[0]?.name.value ?? ''];
    return definition ? dependenceOfSubtree(compiler, definition, subnodes) : 'object';
  });
  const all = [own, ...below];
  if (all.includes('request')) return 'request';
  return all.includes('sources') ? 'sources' : 'object';
}
