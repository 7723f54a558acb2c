/** Runs the part of the fault matrix in `clockRows.ts`. */
import { clockRows } from './rows/clockRows.js';
import { describeScenarios } from './rows/scenarios.js';

describeScenarios(clockRows);
