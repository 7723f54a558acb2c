/** Runs the part of the fault matrix in `hugeRows.ts`. */
import { hugeRows } from './rows/hugeRows.js';
import { describeScenarios } from './rows/scenarios.js';

describeScenarios(hugeRows);
