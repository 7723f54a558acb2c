/** Runs the part of the fault matrix in `tokenRows.ts`. */
import { describeScenarios } from './rows/scenarios.js';
import { tokenRows } from './rows/tokenRows.js';

describeScenarios(tokenRows);
