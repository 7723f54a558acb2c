/** The limits on one operation. They are the same on every transport. */

export interface OperationLimits {
  /** Lexical tokens of the document. */
  maxTokens: number;
  /** Nested levels of fields, including those of fragments. */
  maxDepth: number;
  /** Aliases in the document, including those of `__typename`. Up to `maxRootFields` aliased root fields do not count. */
  maxAliases: number;
  /** Directives on one field, fragment, variable or operation. */
  maxDirectives: number;
  /** Root fields of an operation, including those of fragments. Repeated fields count each time. */
  maxRootFields: number;
  /** Occurrences of one response name in one merged selection set, including those of fragments. */
  maxRepeats: number;
  /** The cost estimated with `@cost` and `@listSize`. */
  maxCost: number;
  /** Whether introspection is allowed and error messages may suggest names of the schema. */
  allowsIntrospection: boolean;
}

/** Validation stops after this many errors, because each one can start a search for similar names. */
export const MAX_VALIDATION_ERRORS = 10;

/** Names of a document repeat in responses, paths of errors and log lines. */
export const MAX_NAME_CHARACTERS = 2000;

/** Fleet, the most expensive operation of the explorer, costs less than half of `maxCost`. */
export const defaultOperationLimits: OperationLimits = {
  maxTokens: 2000,
  maxDepth: 20,
  maxAliases: 15,
  maxDirectives: 5,
  maxRootFields: 20,
  maxRepeats: 50,
  maxCost: 100_000,
  allowsIntrospection: true,
};
