/** Runs the part of the fault matrix about responses with rate limits. */
import { describeAnswerRows } from './answerCases.js';
import { limitRows } from './answerRows.js';

describeAnswerRows(limitRows);
