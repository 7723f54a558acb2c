/** Runs scenarios of the fault matrix: each line of the manual is a test of its own. */
import { describe, it } from 'vitest';
import type { Scenario } from './row.js';

export function describeScenarios(scenarios: readonly Scenario[]): void {
  for (const { fault, skip, run } of scenarios) {
    describe.skipIf(skip)(`${fault}${skip ? ` (${skip})` : ''}`, () => {
      it('is seen and paid for as the manual says, and leaves nothing behind', run);
    });
  }
}
