/** Runs the part of the fault matrix about responses with an error status. */
import { describeAnswerRows } from './rows/responseCases.js';
import { statusRows } from './rows/responseRows.js';

describeAnswerRows(statusRows);
