/** Runs the part of the fault matrix about answers that say what is wrong by their status. */
import { describeAnswerRows } from './answerCases.js';
import { statusRows } from './answerRows.js';

describeAnswerRows(statusRows);
