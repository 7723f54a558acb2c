/** Runs the part of the fault matrix in `redisRows.ts`. */
import { redisRows } from './rows/redisRows.js';
import { describeScenarios } from './rows/scenarios.js';

describeScenarios(redisRows);
