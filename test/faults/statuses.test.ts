/** Runs the part of the fault matrix about responses with an error status. */
import { describeAnswerRows } from './answerCases.js';
import { statusRows } from './answerRows.js';

describeAnswerRows(statusRows);
