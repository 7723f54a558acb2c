/** The seed of every random test: the same in each run unless TEST_SEED sets another. Failures print it. */

function readSeed(text: string): number {
  const seed = Number(text);
  if (!Number.isInteger(seed) || seed < 0 || seed >= 2 ** 31)
    throw new Error(`TEST_SEED=${text} is not a seed.`);
  return seed;
}

export const TEST_SEED = readSeed(process.env['TEST_SEED'] || '1');
