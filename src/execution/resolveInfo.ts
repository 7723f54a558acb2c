/** The `info` argument of resolvers, with the same properties as in graphql-js. Getters compute them only on access. */
import type {
  FieldNode,
  GraphQLField,
  GraphQLObjectType,
  GraphQLOutputType,
  GraphQLResolveInfo,
  GraphQLSchema,
  OperationDefinitionNode,
} from 'graphql';
import type { DeferUsage, Fragments } from './collectFields.js';
import type { ExecutionContext, ResponsePath } from './executionContext.js';

/** The parts of an operation that all its executions share. */
export interface OperationDetails {
  readonly schema: GraphQLSchema;
  readonly operation: OperationDefinitionNode;
  readonly fragments: Fragments;
}

export interface FieldDetails {
  readonly operation: OperationDetails;
  readonly parentType: GraphQLObjectType;
  readonly definition: GraphQLField<unknown, unknown>;
  readonly responseName: string;
  readonly nodes: readonly FieldNode[];
  /** The innermost deferred fragment of each node. */
  readonly usages: readonly (DeferUsage | undefined)[];
}

export class ResolveInfo implements GraphQLResolveInfo {
  readonly #field: FieldDetails;
  readonly #context: ExecutionContext;
  readonly #parent: ResponsePath | undefined;

  constructor(field: FieldDetails, context: ExecutionContext, parent: ResponsePath | undefined) {
    this.#field = field;
    this.#context = context;
    this.#parent = parent;
  }

  get fieldName(): string {
    return this.#field.definition.name;
  }
  get fieldNodes(): readonly FieldNode[] {
    return this.#field.nodes;
  }
  get returnType(): GraphQLOutputType {
    return this.#field.definition.type;
  }
  get parentType(): GraphQLObjectType {
    return this.#field.parentType;
  }
  get path(): ResponsePath {
    return toPath(this.#field, this.#parent);
  }
  get schema(): GraphQLSchema {
    return this.#field.operation.schema;
  }
  get fragments(): Fragments {
    return this.#field.operation.fragments;
  }
  get rootValue(): unknown {
    return this.#context.rootValue;
  }
  get operation(): OperationDefinitionNode {
    return this.#field.operation.operation;
  }
  get variableValues(): Record<string, unknown> {
    return this.#context.variables;
  }
}

export function toPath(
  { responseName, parentType }: FieldDetails,
  prev: ResponsePath | undefined,
): ResponsePath {
  return { prev, key: responseName, typename: parentType.name };
}
