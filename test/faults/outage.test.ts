/** Runs the part of the fault matrix in `outageRows.ts`. */
import { outageRows } from './rows/outageRows.js';
import { describeScenarios } from './rows/scenarios.js';

describeScenarios(outageRows);
