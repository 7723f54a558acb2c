/** Runs the part of the fault matrix in `waitRows.ts`. */
import { describeScenarios } from './scenarios.js';
import { waitRows } from './waitRows.js';

describeScenarios(waitRows);
