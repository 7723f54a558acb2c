/** Finds the object type of a value of an interface or union type. Rules and error messages are those of graphql-js. */
import {
  defaultTypeResolver,
  type GraphQLAbstractType,
  GraphQLError,
  type GraphQLObjectType,
  isObjectType,
} from 'graphql';
import { inspect } from 'graphql/jsutils/inspect.js';
import { type ExecutionContext, isObjectLike, type ResponsePath } from './executionContext.js';
import { type FieldDetails, ResolveInfo } from './resolveInfo.js';

/** The type name or a promise of it. Resolvers can return anything: check the name with `checkRuntimeType`. */
export function resolveTypeName(
  field: FieldDetails,
  type: GraphQLAbstractType,
  value: unknown,
  context: ExecutionContext,
  path: ResponsePath,
): unknown {
  if (!type.resolveType && isObjectLike(value) && typeof value['__typename'] === 'string') {
    return value['__typename'];
  }
  const resolveType = type.resolveType ?? defaultTypeResolver;
  return resolveType(value, context.contextValue, new ResolveInfo(field, context, toParentPath(path)), type);
}

/** The path of the object that the field belongs to. Skips list indexes. */
function toParentPath({ key, prev }: ResponsePath): ResponsePath | undefined {
  return typeof key === 'number' && prev !== undefined ? toParentPath(prev) : prev;
}

/** Throws unless the name is that of an object type that belongs to the abstract type. */
export function checkRuntimeType(
  { operation: { schema }, parentType, definition, nodes }: FieldDetails,
  type: GraphQLAbstractType,
  name: unknown,
  value: unknown,
): GraphQLObjectType {
  const expectation = `must resolve to an Object type at runtime for field "${parentType.name}.${definition.name}"`;
  if (name == null) {
    throw new GraphQLError(
      `Abstract type "${type.name}" ${expectation}. Either the "${type.name}" type should provide a "resolveType" function or each possible type should provide an "isTypeOf" function.`,
      { nodes },
    );
  }
  if (typeof name !== 'string') {
    const received = `with value ${inspect(value)}, received "${inspect(name)}".`;
    throw new GraphQLError(`Abstract type "${type.name}" ${expectation} ${received}`);
  }
  const runtimeType = schema.getType(name);
  const resolved = `Abstract type "${type.name}" was resolved to a`;
  if (!runtimeType)
    throw new GraphQLError(`${resolved} type "${name}" that does not exist inside the schema.`, { nodes });
  if (!isObjectType(runtimeType)) throw new GraphQLError(`${resolved} non-object type "${name}".`, { nodes });
  if (schema.isSubType(type, runtimeType)) return runtimeType;
  throw new GraphQLError(`Runtime Object type "${name}" is not a possible type for "${type.name}".`, {
    nodes,
  });
}
