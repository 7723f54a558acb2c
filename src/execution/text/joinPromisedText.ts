/** Puts text together that is partly still to come. */
import type { JsonOutput } from '../executionContext.js';

/**
 * Rejects with the first that does. It takes as many turns as `Promise.all`: with several places that may not be
 * null, the one that fails first decides which error is told, and that shall be the one graphql-js tells.
 */
export function joinPromisedText(pieces: JsonOutput[]): Promise<string> {
  return new Promise((resolve, reject) => {
    let missing = 0;
    for (const [index, piece] of pieces.entries()) {
      if (typeof piece === 'string') continue;
      missing += 1;
      const take = (text: string) => {
        pieces[index] = text;
        missing -= 1;
        if (missing === 0) resolve(pieces.join(''));
      };
      Promise.resolve(piece).then(take, reject);
    }
  });
}
