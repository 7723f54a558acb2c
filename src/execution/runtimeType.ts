/** Which object type a value of an interface or union is, by the rules and with the words of graphql-js. */
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

/** The name, or a promise of it; what it is has still to be looked at. */
export function readTypeName(
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
  return resolveType(value, context.contextValue, new ResolveInfo(field, context, parentOf(path)), type);
}

/** The path of the object whose field it is, of whose lists it may be an item. */
function parentOf({ key, prev }: ResponsePath): ResponsePath | undefined {
  return typeof key === 'number' && prev !== undefined ? parentOf(prev) : prev;
}

/** Throws where the name is none of an object type that can stand there. */
export function checkRuntimeType(
  { operation: { schema }, parentType, definition, nodes }: FieldDetails,
  type: GraphQLAbstractType,
  name: unknown,
  value: unknown,
): GraphQLObjectType {
  const where = `must resolve to an Object type at runtime for field "${parentType.name}.${definition.name}"`;
  if (name == null) {
    throw new GraphQLError(
      `Abstract type "${type.name}" ${where}. Either the "${type.name}" type should provide a "resolveType" function or each possible type should provide an "isTypeOf" function.`,
      { nodes },
    );
  }
  if (typeof name !== 'string') {
    const received = `with value ${inspect(value)}, received "${inspect(name)}".`;
    throw new GraphQLError(`Abstract type "${type.name}" ${where} ${received}`);
  }
  const found = schema.getType(name);
  const was = `Abstract type "${type.name}" was resolved to a`;
  if (!found)
    throw new GraphQLError(`${was} type "${name}" that does not exist inside the schema.`, { nodes });
  if (!isObjectType(found)) throw new GraphQLError(`${was} non-object type "${name}".`, { nodes });
  if (schema.isSubType(type, found)) return found;
  throw new GraphQLError(`Runtime Object type "${name}" is not a possible type for "${type.name}".`, {
    nodes,
  });
}
