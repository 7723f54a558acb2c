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
import { type CompileSelection, compileComposite } from './composite.js';
import { compileField } from './field.js';
import { createLeafText, quote } from './leafText.js';
import { type Decides, whatDecides } from './modelField.js';
import { type PlaceParts, whenNull } from './place.js';
import type { FieldFacts, OperationFacts } from './resolveInfo.js';
import { createSelection, type ExecuteSelection } from './selection.js';
import type { SelectedField } from './selectionParts.js';
import type { TextBudget } from './textMemory.js';

export interface CompilerParts {
  facts: OperationFacts;
  /** The values of the variables that decide which fields are asked for. */
  conditions: Readonly<Record<string, unknown>>;
  budget: TextBudget;
  /** Called with the number of fields that were compiled, which happens when the first object of their type comes. */
  onCompiled(fields: number): void;
  /** Whether all this is part of what is remembered as a whole. */
  isRemembered?: boolean;
}

type Fields = ReadonlyMap<string, readonly FieldNode[]>;

/** Undefined where graphql-js has to execute it: all but queries, and questions about the schema. */
export function compileOperation(parts: CompilerParts): ExecuteSelection | undefined {
  const { schema, operation, fragments } = parts.facts;
  const type = schema.getQueryType();
  if (operation.operation !== OperationTypeNode.QUERY || !type) return undefined;
  const fields = collectFields(schema, fragments, parts.conditions, type, operation.selectionSet);
  const names = [...fields.values()].map(([node]) => node?.name.value);
  if (names.includes('__schema') || names.includes('__type')) return undefined;
  return compileFields(parts, type, fields);
}

function compileFields(
  parts: CompilerParts,
  parentType: GraphQLObjectType,
  fields: Fields,
): ExecuteSelection {
  const isLasting = !parts.isRemembered && isModel(parentType);
  const selected: SelectedField[] = [];
  for (const [responseName, nodes] of fields) {
    const name = nodes[0]?.name.value ?? '';
    const definition = parentType.getFields()[name];
    if (name === TypeNameMetaFieldDef.name) {
      const value = quote(parentType.name);
      selected.push({ responseName, value, decides: 'nothing', isRemembered: true, usual: undefined });
    } else if (definition) {
      const field = { operation: parts.facts, parentType, definition, responseName, nodes };
      selected.push(selectField(parts, field, isLasting));
    }
  }
  parts.onCompiled(selected.length + 1);
  return createSelection(selected, parts.budget);
}

/** `isLasting`: objects of the type are the same from run to run, and nothing around them is remembered. */
function selectField(parts: CompilerParts, field: FieldFacts, isLasting: boolean): SelectedField {
  const { responseName, definition, nodes } = field;
  const decides = whatDecidesOn(parts, definition, nodes);
  const isWhole = isLasting && decides === 'readings';
  const compileBelow = compileBelowOf({ ...parts, isRemembered: parts.isRemembered || isWhole }, decides);
  return {
    responseName,
    value: compileField(field, compileBelow),
    decides,
    isRemembered: isWhole || decides === 'nothing',
    usual: decides === 'nothing' ? toUsual(field) : undefined,
  };
}

function compileBelowOf(parts: CompilerParts, decides: Decides): PlaceParts['compileComposite'] {
  const compileSelection: CompileSelection = ({ nodes }, type) =>
    compileFields(parts, type, collectBelow(parts, type, nodes));
  const budget = decides === 'nothing' ? parts.budget : undefined;
  return (field, type) => compileComposite(field, type, { compileSelection, budget });
}

/** The types of what the sources keep: each of them has an id of the graph's own. */
function isModel(type: GraphQLObjectType): boolean {
  return type.getInterfaces().some(({ name }) => name === 'Node');
}

/** Of a plain field. */
function toUsual(field: FieldFacts): SelectedField['usual'] {
  const { type, resolve, name } = field.definition;
  const named = getNullableType(type);
  if (!isLeafType(named)) return undefined;
  const read = resolve as ((source: object) => unknown) | undefined;
  return { read: read ?? name, toText: createLeafText(named, whenNull({ type, field })) };
}

function collectBelow(
  { facts: { schema, fragments }, conditions }: CompilerParts,
  type: GraphQLObjectType,
  nodes: readonly FieldNode[],
): Fields {
  return collectSubfields(schema, fragments, conditions, type, nodes);
}

/** What decides, besides an object, on what one of its fields answers and on all that is asked below it. */
function whatDecidesOn(
  parts: CompilerParts,
  { type, resolve }: GraphQLField<unknown, unknown>,
  nodes: readonly FieldNode[],
): Decides {
  const own = resolve ? whatDecides(resolve) : 'nothing';
  const named = getNamedType(type);
  if (!isObjectType(named)) return isLeafType(named) ? own : 'more';
  const below = [...collectBelow(parts, named, nodes).values()].map((subnodes): Decides => {
    const definition = named.getFields()[subnodes[0]?.name.value ?? ''];
    return definition ? whatDecidesOn(parts, definition, subnodes) : 'nothing';
  });
  const all = [own, ...below];
  if (all.includes('more')) return 'more';
  return all.includes('readings') ? 'readings' : 'nothing';
}
