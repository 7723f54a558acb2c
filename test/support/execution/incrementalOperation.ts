/** Adds `@defer` and `@stream` to random operations. */
import {
  type ArgumentNode,
  type ASTNode,
  type DirectiveNode,
  type DocumentNode,
  type GraphQLSchema,
  getNullableType,
  isListType,
  Kind,
  parse,
  print,
  type SelectionNode,
  TypeInfo,
  validate,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { incrementalRules } from '../../../src/graphql/documents/incrementalRules.js';
import { createRandom, type Random } from '../random.js';
import type { RandomOperation } from './randomOperation.js';

/** The same operation with some of its fragments deferred, and some of its lists streamed. Valid. */
export function addDirectives(
  schema: GraphQLSchema,
  operation: RandomOperation,
  seed: number,
): RandomOperation {
  const { query, variables } = addAnyDirectives(schema, operation, seed);
  let document = parse(query, { noLocation: true });
  for (let nodes = findRefused(schema, document); nodes.size > 0; nodes = findRefused(schema, document)) {
    document = withoutStreams(document, nodes);
  }
  return { query: print(document), variables };
}

function findRefused(schema: GraphQLSchema, document: DocumentNode): ReadonlySet<ASTNode> {
  return new Set(validate(schema, document, incrementalRules).flatMap(({ nodes = [] }) => nodes));
}

function withoutStreams(document: DocumentNode, fields: ReadonlySet<ASTNode>): DocumentNode {
  return visit(document, {
    Field(node) {
      if (!fields.has(node)) return undefined;
      return { ...node, directives: (node.directives ?? []).filter(({ name }) => name.value !== 'stream') };
    },
  });
}

/** Like `addDirectives`, but fields with `@stream` may overlap. */
export function addAnyDirectives(
  schema: GraphQLSchema,
  { query, variables }: RandomOperation,
  seed: number,
): RandomOperation {
  const random = createRandom(seed);
  const types = new TypeInfo(schema);
  const isMutation = () => types.getParentType() === schema.getMutationType();
  let labels = 0;
  const direct = (name: 'defer' | 'stream', args: readonly ArgumentNode[]): DirectiveNode => {
    const label = random.chance(0.5) ? [toArgument('label', { kind: Kind.STRING, value: `L${labels}` })] : [];
    labels += 1;
    const isOff = random.chance(0.1);
    const condition = isOff ? [toArgument('if', { kind: Kind.BOOLEAN, value: false })] : [];
    return { kind: Kind.DIRECTIVE, name: toName(name), arguments: [...args, ...label, ...condition] };
  };
  const document = visit(
    parse(query, { noLocation: true }),
    visitWithTypeInfo(types, {
      Field(node) {
        const type = types.getType();
        if (!type || isMutation() || !isListType(getNullableType(type)) || !random.chance(0.3))
          return undefined;
        const count = toArgument('initialCount', { kind: Kind.INT, value: String(random.below(3)) });
        return { ...node, directives: [...(node.directives ?? []), direct('stream', [count])] };
      },
      SelectionSet: {
        leave(node) {
          // Root fields of mutations have no directives.
          if (isMutation()) return undefined;
          const selections = node.selections.map((selection) =>
            selection.kind !== Kind.FIELD && random.chance(0.5)
              ? { ...selection, directives: [...(selection.directives ?? []), direct('defer', [])] }
              : selection,
          );
          if (!random.chance(0.4)) return { ...node, selections };
          const [now, later] = divide(selections, random);
          const deferred = {
            kind: Kind.INLINE_FRAGMENT as const,
            directives: [direct('defer', [])],
            selectionSet: { kind: Kind.SELECTION_SET as const, selections: later },
          };
          return { ...node, selections: later.length > 0 ? [...now, deferred] : now };
        },
      },
    }),
  );
  return { query: print(document), variables };
}

/** Some selections are in both lists, so that fragments share fields. */
function divide(selections: readonly SelectionNode[], random: Random): [SelectionNode[], SelectionNode[]] {
  const later = selections.filter((selection) => isUnlabelled(selection) && random.chance(0.6));
  const now = selections.filter((selection) => !later.includes(selection) || random.chance(0.3));
  return [now, later];
}

/** A label must occur once. */
function isUnlabelled(selection: SelectionNode): boolean {
  return !print(selection).includes('label:');
}

function toArgument(name: string, value: ArgumentNode['value']): ArgumentNode {
  return { kind: Kind.ARGUMENT, name: toName(name), value };
}

function toName(value: string) {
  return { kind: Kind.NAME as const, value };
}
