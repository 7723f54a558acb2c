/** Runs the part of the fault matrix in `outageRows.ts`. */

import { outageRows } from './outageRows.js';
import { describeScenarios } from './scenarios.js';

describeScenarios(outageRows);
