/** How large an operation may be, whichever way it comes in. */

export interface OperationLimits {
  /** Lexical tokens of the document. */
  mostTokens: number;
  /** Levels of fields, fragments followed. */
  mostDepth: number;
  /** Aliases in the whole document, those of `__typename` too; up to `mostRootFields` aliased query roots are free. */
  mostAliases: number;
  /** Directives at one place. */
  mostDirectives: number;
  /** Fields at the top of an operation, fragments followed and repeated ones counted again. */
  mostRootFields: number;
  /** Times that one name stands at one place of the answer, fragments followed. */
  mostRepeats: number;
  /** By `@cost` and `@listSize` of the schema. */
  mostCost: number;
  /** Whether the schema may be asked for, and named in suggestions. */
  allowsIntrospection: boolean;
}

/** What is wrong with a document is told up to here: each further one costs a search for what was meant. */
export const MOST_VALIDATION_ERRORS = 10;

/** Fleet, the most expensive of the explorer's operations, costs less than half the budget. */
export const defaultOperationLimits: OperationLimits = {
  mostTokens: 2000,
  mostDepth: 20,
  mostAliases: 15,
  mostDirectives: 5,
  mostRootFields: 20,
  mostRepeats: 50,
  mostCost: 100_000,
  allowsIntrospection: true,
};
