/** Runs the part of the fault matrix about responses with an error status. */
import { describeAnswerRows } from './responseCases.js';
import { statusRows } from './responseRows.js';

describeAnswerRows(statusRows);
