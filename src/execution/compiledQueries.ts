/** Keeps the compiled forms of operations, charged by the heap that they and their documents take. */
import {
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLSchema,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  visit,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import { compileOperation } from './compileOperation.js';
import { estimateDocumentBytes, textBytes } from './documentBytes.js';
import type { ExecuteSelection } from './selection.js';

export interface CompiledQueries {
  /** Undefined where graphql-js has to execute it. `variables` are coerced. */
  get(
    document: DocumentNode,
    operation: OperationDefinitionNode,
    variables: Readonly<Record<string, unknown>>,
  ): ExecuteSelection | undefined;
  /** The operations with compiled forms, and the memory that they take by the estimate that the bound is kept by. */
  usage(): { operations: number; bytes: number };
}

/** The compiled forms of one operation, by the values of the variables that decide what is asked for. */
interface CompiledVariants {
  conditions: readonly string[];
  variants: Map<string, ExecuteSelection | undefined>;
  /** Of the document, which the forms refer to. */
  documentBytes: number;
  /** Compiled in all forms. */
  fields: number;
}

/** Of one operation. Whoever has more ways to skip and include gets them compiled again. */
const MAX_VARIANTS = 16;
export const MAX_COMPILED_BYTES = 32 * 1024 * 1024;
/** Closures, texts and memories of one compiled field, as measured. */
const FIELD_BYTES = 1400;
const PLAN_BYTES = 1024;

export function createCompiledQueries(schema: GraphQLSchema): CompiledQueries {
  const cacheBudget = { characters: 0, version: 0 };
  const plans = new LRUCache<OperationDefinitionNode, CompiledVariants>({ maxSize: MAX_COMPILED_BYTES });
  // graphql-js asks these predicates of each object; the schemas of this gateway have none.
  const hasPredicates = Object.values(schema.getTypeMap()).some(
    (type) => isObjectType(type) && type.isTypeOf,
  );

  function planOf(document: DocumentNode, operation: OperationDefinitionNode): CompiledVariants {
    const known = plans.get(operation);
    if (known) return known;
    const documentBytes = estimateDocumentBytes(document) + textBytes(document.loc?.source.body ?? '');
    return { conditions: findConditions(document), variants: new Map(), documentBytes, fields: 0 };
  }

  function charge(operation: OperationDefinitionNode, plan: CompiledVariants): void {
    // The cache keeps the old size where the value is the same object.
    plans.delete(operation);
    plans.set(operation, plan, { size: PLAN_BYTES + plan.documentBytes + plan.fields * FIELD_BYTES });
  }

  return {
    get(document, operation, variables) {
      if (hasPredicates) return undefined;
      const plan = planOf(document, operation);
      const { conditions, variants } = plan;
      const values = conditions.map((name) => variables[name]);
      // What is no boolean is an error where graphql-js meets it.
      if (!values.every((value) => typeof value === 'boolean')) return undefined;
      const key = values.join();
      if (variants.has(key)) return variants.get(key);
      if (variants.size >= MAX_VARIANTS) {
        variants.clear();
        plan.fields = 0;
      }
      const facts = { schema, operation, fragments: fragmentsOf(document) };
      const named = Object.fromEntries(conditions.map((name, at) => [name, values[at]]));
      const onCompiled = (fields: number) => {
        plan.fields += fields;
        charge(operation, plan);
      };
      const form = compileOperation({ operation: facts, conditions: named, cacheBudget, onCompiled });
      variants.set(key, form);
      charge(operation, plan);
      return form;
    },
    usage: () => ({ operations: plans.size, bytes: plans.calculatedSize }),
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
