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
import { isOfModel } from './modelField.js';
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
  const compileSelection: CompileSelection = ({ nodes }, type) =>
    compileFields(parts, type, collectBelow(parts, type, nodes));
  const compileOf =
    (budget: TextBudget | undefined): PlaceParts['compileComposite'] =>
    (field, type) =>
      compileComposite(field, type, { compileSelection, budget });
  const selected: SelectedField[] = [];
  for (const [responseName, nodes] of fields) {
    const name = nodes[0]?.name.value ?? '';
    const definition = parentType.getFields()[name];
    if (name === TypeNameMetaFieldDef.name) {
      selected.push({ responseName, value: quote(parentType.name), isPlain: true, usual: undefined });
    } else if (definition) {
      const field = { operation: parts.facts, parentType, definition, responseName, nodes };
      const isPlain = isPlainField(parts, definition, nodes);
      const usual = isPlain ? toUsual(field) : undefined;
      selected.push({
        responseName,
        value: compileField(field, compileOf(isPlain ? parts.budget : undefined)),
        isPlain,
        usual,
      });
    }
  }
  return createSelection(selected, parts.budget);
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

/** Whether an object alone decides what one of its fields answers, and all that is asked below it. */
function isPlainField(
  parts: CompilerParts,
  { type, resolve }: GraphQLField<unknown, unknown>,
  nodes: readonly FieldNode[],
): boolean {
  if (resolve && !isOfModel(resolve)) return false;
  const named = getNamedType(type);
  if (!isObjectType(named)) return isLeafType(named);
  const below = [...collectBelow(parts, named, nodes).values()];
  return below.every((subnodes) => {
    const definition = named.getFields()[subnodes[0]?.name.value ?? ''];
    return definition === undefined || isPlainField(parts, definition, subnodes);
  });
}
