/** Compiles one operation of a document: from then on, executing it is calling functions made for it. */
import { type FieldNode, type GraphQLObjectType, OperationTypeNode, TypeNameMetaFieldDef } from 'graphql';
import { collectFields, collectSubfields } from 'graphql/execution/collectFields.js';
import { type CompileSelection, compileComposite } from './composite.js';
import { compileField } from './field.js';
import { quote } from './leafText.js';
import type { PlaceParts } from './place.js';
import type { OperationFacts } from './resolveInfo.js';
import { createSelection, type ExecuteSelection, type SelectedField } from './selection.js';

/** The values of the variables that decide which fields are asked for. */
export type Conditions = Readonly<Record<string, unknown>>;

type Fields = ReadonlyMap<string, readonly FieldNode[]>;

/** Undefined where graphql-js has to execute it: all but queries, and questions about the schema. */
export function compileOperation(
  facts: OperationFacts,
  conditions: Conditions,
): ExecuteSelection | undefined {
  const { schema, operation, fragments } = facts;
  const type = schema.getQueryType();
  if (operation.operation !== OperationTypeNode.QUERY || !type) return undefined;
  const fields = collectFields(schema, fragments, conditions, type, operation.selectionSet);
  const names = [...fields.values()].map(([node]) => node?.name.value);
  if (names.includes('__schema') || names.includes('__type')) return undefined;
  return compileFields(facts, conditions, type, fields);
}

function compileFields(
  facts: OperationFacts,
  conditions: Conditions,
  parentType: GraphQLObjectType,
  fields: Fields,
): ExecuteSelection {
  const { schema, fragments } = facts;
  const compileSelection: CompileSelection = ({ nodes }, type) => {
    const subfields = collectSubfields(schema, fragments, conditions, type, nodes);
    return compileFields(facts, conditions, type, subfields);
  };
  const compile: PlaceParts['compileComposite'] = (field, type) =>
    compileComposite(field, type, compileSelection);
  const selected: SelectedField[] = [];
  for (const [responseName, nodes] of fields) {
    const name = nodes[0]?.name.value ?? '';
    if (name === TypeNameMetaFieldDef.name) selected.push({ responseName, value: quote(parentType.name) });
    const definition = parentType.getFields()[name];
    if (!definition) continue;
    const field = { operation: facts, parentType, definition, responseName, nodes };
    selected.push({ responseName, value: compileField(field, compile) });
  }
  return createSelection(selected);
}
