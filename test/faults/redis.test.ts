/** Runs the part of the fault matrix in `redisRows.ts`. */

import { redisRows } from './redisRows.js';
import { describeScenarios } from './scenarios.js';

describeScenarios(redisRows);
