/** Runs the part of the fault matrix about answers that say the caller has to wait. */
import { describeAnswerRows } from './answerCases.js';
import { limitRows } from './answerRows.js';

describeAnswerRows(limitRows);
