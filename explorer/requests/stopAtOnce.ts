/** Ends an operation when its visitor stops it, or opens another tab. */

/**
 * Passes results on. `return()` ends them at once and calls `stop`, which cancels the request. An async generator
 * cannot do this: its `return()` waits for the result that the generator is awaiting.
 */
export function stopAtOnce<Result>(
  source: AsyncIterable<Result>,
  stop: () => void,
): AsyncIterableIterator<Result> {
  const results = source[Symbol.asyncIterator]();
  const done = { value: undefined, done: true } as const;
  let isStopped = false;
  let end = () => {};
  const stopped = new Promise<typeof done>((resolve) => {
    end = () => resolve(done);
  });
  return {
    async next() {
      const next = await Promise.race([results.next(), stopped]);
      // The page may show another operation by now.
      return isStopped ? done : next;
    },
    async return() {
      isStopped = true;
      end();
      stop();
      // It may end late, and the error of the cancelled request is irrelevant.
      results.return?.().catch(() => undefined);
      return done;
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
