/** Cursors: two whole numbers in a text that callers hand back unread. */
import { createBadInputError } from '../../errors.js';

export function encodeCursor([one, other]: readonly [number, number]): string {
  return Buffer.from(`${one}.${other}`).toString('base64url');
}

/** Throws BAD_USER_INPUT, naming the argument, for a text that is none of our cursors. */
export function decodeCursor(cursor: string, argument: string): [number, number] {
  const text = Buffer.from(cursor, 'base64url').toString('latin1');
  const match = /^(\d{1,16})\.(\d{1,16})$/.exec(text);
  const numbers = [Number(match?.[1]), Number(match?.[2])] as const;
  if (!numbers.every(Number.isSafeInteger)) {
    throw createBadInputError(
      argument,
      `${JSON.stringify(cursor)} is no cursor of this list; take one from pageInfo.`,
    );
  }
  return [...numbers];
}
