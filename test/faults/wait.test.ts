/** Runs the part of the fault matrix in `waitRows.ts`. */
import { describeScenarios } from './rows/scenarios.js';
import { waitRows } from './rows/waitRows.js';

describeScenarios(waitRows);
