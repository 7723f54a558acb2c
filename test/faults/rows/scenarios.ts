/** Runs scenarios of the fault matrix: each line of the manual is one test. */
import { describe, it } from 'vitest';
import type { Scenario } from './row.js';

export function describeScenarios(scenarios: readonly Scenario[]): void {
  for (const { fault, skip, run } of scenarios) {
    describe.skipIf(skip)(`${fault}${skip ? ` (${skip})` : ''}`, () => {
      it('has the documented result and REST calls, and leaks nothing', run);
    });
  }
}
