/** Runs the part of the fault matrix in `hugeRows.ts`. */

import { hugeRows } from './hugeRows.js';
import { describeScenarios } from './scenarios.js';

describeScenarios(hugeRows);
