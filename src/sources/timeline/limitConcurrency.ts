/** Lets only so many of a kind of work run at once; the others wait in the order they came. */
export type Limiter = <Value>(work: () => Promise<Value>) => Promise<Value>;

export function limitConcurrency(maxConcurrent: number): Limiter {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    // Whoever ends hands the place on: nobody who comes meanwhile can take it.
    if (running >= maxConcurrent) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
