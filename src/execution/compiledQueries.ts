/** Caches compiled queries, bounded by an estimate of their memory. */
import {
  type DocumentNode,
  type GraphQLSchema,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  visit,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import { collectFragments, type DeferMode } from './collectFields.js';
import { compileOperation } from './compileOperation.js';
import { estimateDocumentBytes, textBytes } from './documentBytes.js';
import type { ExecuteSelection } from './selection.js';

export interface CompiledQueries {
  /** Returns undefined if graphql-js has to execute the operation. `variables` must be coerced. */
  get(
    document: DocumentNode,
    operation: OperationDefinitionNode,
    variables: Readonly<Record<string, unknown>>,
    mode?: DeferMode,
  ): ExecuteSelection | undefined;
  /** The number of compiled operations and their estimated memory in bytes. */
  usage(): { operations: number; bytes: number };
}

/** The compiled variants of one operation, by the mode of `@defer` and the values of the variables in conditions. */
interface CompiledVariants {
  conditions: readonly string[];
  variants: Map<string, ExecuteSelection | undefined>;
  /** The size of the document, which the variants refer to. */
  documentBytes: number;
  /** The number of compiled fields in all variants. */
  fields: number;
}

/** Per operation. Compiling one more variant discards the others. */
const MAX_VARIANTS = 16;
/** Estimated heap of the compiled queries and their documents. */
export const MAX_COMPILED_BYTES = 32 * 1024 * 1024;
/** Measured size of the closures, strings and caches of one compiled field. */
const FIELD_BYTES = 1400;
const ENTRY_BYTES = 1024;

export function createCompiledQueries(schema: GraphQLSchema): CompiledQueries {
  const cacheBudget = { characters: 0, version: 0 };
  const cache = new LRUCache<OperationDefinitionNode, CompiledVariants>({ maxSize: MAX_COMPILED_BYTES });
  // graphql-js calls `isTypeOf` for every object; compiled queries do not. No type of this gateway's schema has one.
  const hasPredicates = Object.values(schema.getTypeMap()).some(
    (type) => isObjectType(type) && type.isTypeOf,
  );

  function variantsOf(document: DocumentNode, operation: OperationDefinitionNode): CompiledVariants {
    const cached = cache.get(operation);
    if (cached) return cached;
    const documentBytes = estimateDocumentBytes(document) + textBytes(document.loc?.source.body ?? '');
    return { conditions: findConditions(document), variants: new Map(), documentBytes, fields: 0 };
  }

  function updateSize(operation: OperationDefinitionNode, entry: CompiledVariants): void {
    // `set` with the same object keeps the old size, so delete the entry first.
    cache.delete(operation);
    cache.set(operation, entry, { size: ENTRY_BYTES + entry.documentBytes + entry.fields * FIELD_BYTES });
  }

  return {
    get(document, operation, variables, mode = 'none') {
      if (hasPredicates) return undefined;
      const entry = variantsOf(document, operation);
      const { conditions, variants } = entry;
      const values = conditions.map((name) => variables[name]);
      // Null falls through to graphql-js, which reports the error. Only `@defer` and `@stream` have a default.
      if (!values.every((value) => typeof value === 'boolean' || value === undefined)) return undefined;
      const key = `${mode} ${values.join()}`;
      if (variants.has(key)) return variants.get(key);
      if (variants.size >= MAX_VARIANTS) {
        variants.clear();
        entry.fields = 0;
      }
      const compiled = compileOperation({
        operation: { schema, operation, fragments: collectFragments(document) },
        conditions: Object.fromEntries(conditions.map((name, index) => [name, values[index]])),
        mode,
        cacheBudget,
        onCompiled(fields) {
          entry.fields += fields;
          updateSize(operation, entry);
        },
      });
      variants.set(key, compiled);
      updateSize(operation, entry);
      return compiled;
    },
    usage: () => ({ operations: cache.size, bytes: cache.calculatedSize }),
  };
}

/** The names of the variables in conditions of directives anywhere in the document. */
function findConditions(document: DocumentNode): string[] {
  const names = new Set<string>();
  visit(document, {
    [Kind.DIRECTIVE](directive) {
      for (const { name, value } of directive.arguments ?? []) {
        if (name.value === 'if' && value.kind === Kind.VARIABLE) names.add(value.name.value);
      }
    },
  });
  return [...names];
}
