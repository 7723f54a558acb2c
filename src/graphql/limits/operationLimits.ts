/** How large an operation may be, whichever way it comes in. */

export interface OperationLimits {
  /** Lexical tokens of the document. */
  maxTokens: number;
  /** Levels of fields, fragments followed. */
  maxDepth: number;
  /** Aliases in the whole document, those of `__typename` too; up to `maxRootFields` aliased query roots are free. */
  maxAliases: number;
  /** Directives at one place. */
  maxDirectives: number;
  /** Fields at the top of an operation, fragments followed and repeated ones counted again. */
  maxRootFields: number;
  /** Times that one name stands at one place of the answer, fragments followed. */
  maxRepeats: number;
  /** By `@cost` and `@listSize` of the schema. */
  maxCost: number;
  /** Whether the schema may be asked for, and named in suggestions. */
  allowsIntrospection: boolean;
}

/** What is wrong with a document is told up to here: each further one costs a search for what was meant. */
export const MAX_VALIDATION_ERRORS = 10;

/** Fleet, the most expensive of the explorer's operations, costs less than half the budget. */
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
