/** Counts the tokens of a document before anything is built of it, and stops at the first too many. */
import { GraphQLError, Lexer, Source, TokenKind } from 'graphql';

/** The tokens, or one more than `most` where there are more. A text that is no GraphQL is counted up to its mistake. */
export function countTokens(text: string, max: number): number {
  const lexer = new Lexer(new Source(text));
  let count = 0;
  while (count <= max && hasNext(lexer)) count += 1;
  return count;
}

function hasNext(lexer: Lexer): boolean {
  try {
    return lexer.advance().kind !== TokenKind.EOF;
  } catch (error) {
    // The parser will find the same mistake and tell of it.
    if (error instanceof GraphQLError) return false;
    throw error;
  }
}
