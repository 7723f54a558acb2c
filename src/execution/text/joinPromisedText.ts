/** Joins pieces of text of which some are promises. */
import type { JsonOutput } from '../executionContext.js';

/**
 * Rejects with the first rejection, after as many microtasks as `Promise.all`. If several non-null fields fail, the first
 * rejection decides which error is reported; the equal number of microtasks makes it the same error as in graphql-js.
 */
export function joinPromisedText(pieces: JsonOutput[]): Promise<string> {
  return new Promise((resolve, reject) => {
    let pending = 0;
    for (const [index, piece] of pieces.entries()) {
      if (typeof piece === 'string') continue;
      pending += 1;
      const onText = (text: string) => {
        pieces[index] = text;
        pending -= 1;
        if (pending === 0) resolve(pieces.join(''));
      };
      Promise.resolve(piece).then(onText, reject);
    }
  });
}
