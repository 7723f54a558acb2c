/**
 * Cleans up what helpers have opened, after each test and after each file. Test files share a process and its modules, so
 * a hook that a helper registers while it is imported would only run for the first file. `setUp.ts` calls these for every
 * file.
 */
type CleanUp = () => unknown;

const afterTests: CleanUp[] = [];
const afterFiles: CleanUp[] = [];

/** Runs after each test of every file in this process; must do nothing if the helper was not used. */
export function cleanUpAfterTest(cleanUp: CleanUp): void {
  afterTests.unshift(cleanUp);
}

/** Runs after each test file. */
export function cleanUpAfterFile(cleanUp: CleanUp): void {
  afterFiles.unshift(cleanUp);
}

/** Runs all, also after one has failed. The last registered one runs first, because a helper imports those before it. */
async function runAll(cleanUps: readonly CleanUp[]): Promise<void> {
  const errors: unknown[] = [];
  for (const cleanUp of cleanUps) {
    try {
      await cleanUp();
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
}

export const cleanUpTest = () => runAll(afterTests);
export const cleanUpFile = () => runAll(afterFiles);
