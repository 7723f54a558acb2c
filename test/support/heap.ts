/** Measures the heap memory of an object, after garbage collection. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose_gc');
const collectGarbage = runInNewContext('gc') as () => void;

function heapUsed(): number {
  for (let round = 0; round < 3; round++) collectGarbage();
  return process.memoryUsage().heapUsed;
}

/** The growth of the heap, in bytes, by all objects that `fill` keeps reachable. */
export async function heapGrowth(fill: () => unknown): Promise<number> {
  const before = heapUsed();
  await fill();
  return heapUsed() - before;
}
