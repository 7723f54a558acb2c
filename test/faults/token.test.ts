/** Runs the part of the fault matrix in `tokenRows.ts`. */
import { describeScenarios } from './scenarios.js';
import { tokenRows } from './tokenRows.js';

describeScenarios(tokenRows);
