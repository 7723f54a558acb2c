/** The limits on one operation. They are the same on every transport. */

export type OperationLimits = typeof defaultOperationLimits;

/** Validation stops after this many errors, because each one can start a search for similar names. */
export const MAX_VALIDATION_ERRORS = 10;

/** Names of a document repeat in responses, paths of errors and log lines. */
export const MAX_NAME_CHARACTERS = 2000;

/** Fleet, the most expensive operation of the explorer, costs less than half of `maxCost`. */
export const defaultOperationLimits = {
  /** Lexical tokens of the document. */
  maxTokens: 2000,
  /** Nested levels of fields, including those of fragments. */
  maxDepth: 20,
  /** Aliases in the document, including those of `__typename`. Up to `maxRootFields` aliased root fields do not count. */
  maxAliases: 15,
  /** Directives on one field, fragment, variable or operation. */
  maxDirectives: 5,
  /** Root fields of an operation, including those of fragments. Repeated fields count each time. */
  maxRootFields: 20,
  /** Occurrences of one response name in one merged selection set, including those of fragments. */
  maxRepeats: 50,
  /** The cost estimated with `@cost` and `@listSize`. */
  maxCost: 100_000,
  /** Whether introspection is allowed and error messages may suggest names of the schema. */
  allowsIntrospection: true,
};
