/** The fourth argument of resolvers: what graphql-js would hand over, read only where a resolver looks at it. */
import type {
  FieldNode,
  FragmentDefinitionNode,
  GraphQLField,
  GraphQLObjectType,
  GraphQLOutputType,
  GraphQLResolveInfo,
  GraphQLSchema,
  OperationDefinitionNode,
} from 'graphql';
import type { Path, Run } from './run.js';

/** What is the same in every run. */
export interface OperationFacts {
  readonly schema: GraphQLSchema;
  readonly operation: OperationDefinitionNode;
  readonly fragments: Record<string, FragmentDefinitionNode>;
}

export interface FieldFacts {
  readonly operation: OperationFacts;
  readonly parentType: GraphQLObjectType;
  readonly definition: GraphQLField<unknown, unknown>;
  readonly responseName: string;
  readonly nodes: readonly FieldNode[];
}

export class ResolveInfo implements GraphQLResolveInfo {
  readonly #field: FieldFacts;
  readonly #run: Run;
  readonly #parent: Path | undefined;

  constructor(field: FieldFacts, run: Run, parent: Path | undefined) {
    this.#field = field;
    this.#run = run;
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
  get path(): Path {
    return toPath(this.#field, this.#parent);
  }
  get schema(): GraphQLSchema {
    return this.#field.operation.schema;
  }
  get fragments(): Record<string, FragmentDefinitionNode> {
    return this.#field.operation.fragments;
  }
  get rootValue(): unknown {
    return this.#run.rootValue;
  }
  get operation(): OperationDefinitionNode {
    return this.#field.operation.operation;
  }
  get variableValues(): Record<string, unknown> {
    return this.#run.variables;
  }
}

export function toPath({ responseName, parentType }: FieldFacts, prev: Path | undefined): Path {
  return { prev, key: responseName, typename: parentType.name };
}
