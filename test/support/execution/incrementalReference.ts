/** Executes operations in parts with graphql-js 17, over the resolvers of a schema of graphql-js 16. */
import {
  type FieldNode,
  type GraphQLSchema,
  getArgumentValues,
  isObjectType,
  isScalarType,
  isSpecifiedScalarType,
  printSchema,
} from 'graphql';
import {
  buildSchema,
  experimentalExecuteIncrementally,
  type GraphQLSchema as GraphQLSchema17,
  parse,
  type GraphQLFieldResolver as Resolver17,
} from 'graphql17';
import type { RandomOperation } from './randomOperation.js';

/** A result as JSON, initial or later. */
export type JsonResult = Readonly<Record<string, unknown>>;

export function toReferenceSchema(schema: GraphQLSchema): GraphQLSchema17 {
  const reference = buildSchema(printSchema(schema));
  for (const type of Object.values(schema.getTypeMap())) {
    const other = reference.getType(type.name);
    if (isScalarType(type) && !isSpecifiedScalarType(type)) {
      Object.assign(other ?? {}, { coerceOutputValue: type.serialize.bind(type) });
    }
    if (!isObjectType(type) || !other || !('getFields' in other)) continue;
    for (const field of Object.values(type.getFields())) {
      const { resolve } = field;
      if (!resolve) continue;
      const adapted: Resolver17<unknown, unknown> = (source, args, context, info) => {
        const variableValues = info.variableValues.coerced;
        // The versions coerce absent variables within input objects differently.
        const [node] = info.fieldNodes as unknown as FieldNode[];
        const coerced = node ? getArgumentValues(field, node, variableValues) : args;
        return resolve(source, coerced, context, {
          ...(info as object),
          returnType: field.type,
          parentType: type,
          variableValues,
        } as Parameters<typeof resolve>[3]);
      };
      Object.assign((other.getFields() as Record<string, object>)[field.name] ?? {}, { resolve: adapted });
    }
  }
  return reference;
}

/** All results in their order. */
export async function executeReference(
  schema: GraphQLSchema17,
  { query, variables }: RandomOperation,
  contextValue: unknown,
): Promise<JsonResult[]> {
  const document = parse(query);
  const executed = await experimentalExecuteIncrementally({
    schema,
    document,
    variableValues: variables,
    contextValue,
  });
  if (!('initialResult' in executed)) return [toJson(executed)];
  const results = [toJson(executed.initialResult)];
  for await (const later of executed.subsequentResults) results.push(toJson(later));
  return results;
}

function toJson(result: object): JsonResult {
  return JSON.parse(JSON.stringify(result)) as JsonResult;
}
