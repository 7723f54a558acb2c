/** Runs the part of the fault matrix about responses with rate limits. */
import { describeAnswerRows } from './responseCases.js';
import { limitRows } from './responseRows.js';

describeAnswerRows(limitRows);
