/** Keeps the compiled forms of operations for as long as their parsed document is kept. */
import {
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLSchema,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  visit,
} from 'graphql';
import { compileOperation } from './compileOperation.js';
import type { ExecuteSelection } from './selection.js';

export interface Plans {
  /** Undefined where graphql-js has to execute it. `variables` are coerced. */
  find(
    document: DocumentNode,
    operation: OperationDefinitionNode,
    variables: Readonly<Record<string, unknown>>,
  ): ExecuteSelection | undefined;
}

/** The compiled forms of one operation, by the values of the variables that decide what is asked for. */
interface Plan {
  conditions: readonly string[];
  forms: Map<string, ExecuteSelection | undefined>;
}

/** Of one operation. Whoever has more ways to skip and include gets them compiled again. */
const MOST_FORMS = 16;

export function createPlans(schema: GraphQLSchema): Plans {
  const budget = { characters: 0, generation: 0 };
  const plans = new WeakMap<OperationDefinitionNode, Plan>();
  // graphql-js asks these predicates of each object; the schemas of this gateway have none.
  const hasPredicates = Object.values(schema.getTypeMap()).some(
    (type) => isObjectType(type) && type.isTypeOf,
  );

  function planOf(document: DocumentNode, operation: OperationDefinitionNode): Plan {
    const known = plans.get(operation);
    if (known) return known;
    const plan = { conditions: findConditions(document), forms: new Map() };
    plans.set(operation, plan);
    return plan;
  }

  return {
    find(document, operation, variables) {
      if (hasPredicates) return undefined;
      const { conditions, forms } = planOf(document, operation);
      const values = conditions.map((name) => variables[name]);
      // What is no boolean is an error where graphql-js meets it.
      if (!values.every((value) => typeof value === 'boolean')) return undefined;
      const key = values.join();
      if (forms.has(key)) return forms.get(key);
      if (forms.size >= MOST_FORMS) forms.clear();
      const facts = { schema, operation, fragments: fragmentsOf(document) };
      const named = Object.fromEntries(conditions.map((name, at) => [name, values[at]]));
      const form = compileOperation({ facts, conditions: named, budget });
      forms.set(key, form);
      return form;
    },
  };
}

/** The variables in `@skip` and `@include` anywhere in the document. */
function findConditions(document: DocumentNode): string[] {
  const names = new Set<string>();
  visit(document, {
    [Kind.DIRECTIVE](directive) {
      for (const { value } of directive.arguments ?? []) {
        if (value.kind === Kind.VARIABLE) names.add(value.name.value);
      }
    },
  });
  return [...names];
}

function fragmentsOf(document: DocumentNode): Record<string, FragmentDefinitionNode> {
  const fragments: Record<string, FragmentDefinitionNode> = Object.create(null);
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments[definition.name.value] = definition;
  }
  return fragments;
}
