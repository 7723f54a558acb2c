/** The validation rules of `@defer` and `@stream`, which graphql-js 16 does not have. */
import {
  type ASTVisitor,
  type DirectiveNode,
  type FieldNode,
  GraphQLError,
  getNullableType,
  isListType,
  Kind,
  OperationTypeNode,
  specifiedRules,
  type ValidationContext,
  type ValidationRule,
} from 'graphql';
import { collectFragments } from '../../execution/collectFields.js';
import { eachMergedSelection } from './mergedSelections.js';

/** Use them in addition to the rules of the specification. */
export const incrementalRules: readonly ValidationRule[] = [
  checkLabels,
  checkRootFields,
  checkSubscriptions,
  checkStreamedFields,
  checkOverlappingStreams,
];

/** All rules for documents of callers. */
export const validationRules: readonly ValidationRule[] = [...specifiedRules, ...incrementalRules];

function isIncremental({ name }: DirectiveNode): boolean {
  return name.value === 'defer' || name.value === 'stream';
}

/** Labels are sent with each of the parts, of which there can be thousands. */
const MAX_LABEL_CHARACTERS = 256;

/** Labels are static, short, and unique in a document. */
function checkLabels(context: ValidationContext): ASTVisitor {
  const nodesByLabel = new Map<string, DirectiveNode>();
  return {
    Directive(node) {
      const label = node.arguments?.find(({ name }) => name.value === 'label')?.value;
      if (!isIncremental(node) || !label) return;
      const name = node.name.value;
      if (label.kind !== Kind.STRING) {
        const message = `Argument "@${name}(label:)" must be a static string.`;
        context.reportError(new GraphQLError(message, { nodes: node }));
        return;
      }
      if (label.value.length > MAX_LABEL_CHARACTERS) {
        const message = `Argument "@${name}(label:)" has more than ${MAX_LABEL_CHARACTERS} characters.`;
        context.reportError(new GraphQLError(message, { nodes: node }));
        return;
      }
      const other = nodesByLabel.get(label.value);
      if (other === undefined) nodesByLabel.set(label.value, node);
      else {
        const message = `The label "${label.value}" of "@${name}" must be unique among all uses of "@defer" and "@stream".`;
        context.reportError(new GraphQLError(message, { nodes: [other, node] }));
      }
    },
  };
}

/** Root fields of mutations run one after another, and those of subscriptions run for each event. */
function checkRootFields(context: ValidationContext): ASTVisitor {
  return {
    Directive(node) {
      const parent = context.getParentType();
      const schema = context.getSchema();
      const isRoot = parent === schema.getMutationType() || parent === schema.getSubscriptionType();
      if (!isIncremental(node) || !parent || !isRoot) return;
      const message = `Directive "@${node.name.value}" cannot be used on the root type "${parent.name}".`;
      context.reportError(new GraphQLError(message, { nodes: node }));
    },
  };
}

/** Each event of a subscription has one result. */
function checkSubscriptions(context: ValidationContext): ASTVisitor {
  const fragments = new Set<string>();
  let isSubscription = false;
  return {
    Document(document) {
      for (const definition of document.definitions) {
        if (definition.kind !== Kind.OPERATION_DEFINITION) continue;
        if (definition.operation !== OperationTypeNode.SUBSCRIPTION) continue;
        for (const { name } of context.getRecursivelyReferencedFragments(definition))
          fragments.add(name.value);
      }
    },
    OperationDefinition({ operation }) {
      isSubscription = operation === OperationTypeNode.SUBSCRIPTION;
    },
    FragmentDefinition({ name }) {
      isSubscription = fragments.has(name.value);
    },
    Directive(node) {
      if (!isSubscription || !isIncremental(node) || canBeOff(node)) return;
      const message = `Directive "@${node.name.value}" cannot be used in subscriptions unless its argument "if" is false or a variable.`;
      context.reportError(new GraphQLError(message, { nodes: node }));
    },
  };
}

function canBeOff(node: DirectiveNode): boolean {
  const condition = node.arguments?.find(({ name }) => name.value === 'if')?.value;
  return condition?.kind === Kind.VARIABLE || (condition?.kind === Kind.BOOLEAN && !condition.value);
}

function checkStreamedFields(context: ValidationContext): ASTVisitor {
  return {
    Directive(node) {
      const field = context.getFieldDef();
      if (node.name.value !== 'stream' || !field || isListType(getNullableType(field.type))) return;
      const message = `Directive "@stream" cannot be used on the field "${field.name}", which is not a list.`;
      context.reportError(new GraphQLError(message, { nodes: node }));
    },
  };
}

/** Fields that are merged into one cannot be streamed in two ways. graphql-js 17 refuses equal directives too. */
function checkOverlappingStreams(context: ValidationContext): ASTVisitor {
  let hasStream = false;
  return {
    Directive(node) {
      hasStream ||= node.name.value === 'stream';
    },
    Document: {
      leave(document) {
        if (!hasStream) return;
        const reported = new Set<string>();
        eachMergedSelection(document, collectFragments(document), ({ fields }) => {
          for (const [name, nodes] of fields) {
            if (nodes.length === 1 || reported.has(name) || !nodes.some(isStreamed)) continue;
            reported.add(name);
            const message = `Fields "${name}" conflict, because at least one has "@stream". Use different aliases.`;
            context.reportError(new GraphQLError(message, { nodes }));
          }
          return true;
        });
      },
    },
  };
}

function isStreamed({ directives }: FieldNode): boolean {
  return directives?.some(({ name }) => name.value === 'stream') ?? false;
}
