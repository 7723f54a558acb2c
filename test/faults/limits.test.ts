/** Runs the part of the fault matrix about responses with rate limits. */
import { describeAnswerRows } from './rows/responseCases.js';
import { limitRows } from './rows/responseRows.js';

describeAnswerRows(limitRows);
