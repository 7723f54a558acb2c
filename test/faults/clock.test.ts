/** Runs the part of the fault matrix in `clockRows.ts`. */

import { clockRows } from './clockRows.js';
import { describeScenarios } from './scenarios.js';

describeScenarios(clockRows);
