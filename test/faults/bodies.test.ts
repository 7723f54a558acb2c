/** Runs the part of the fault matrix about answers that are broken, or end too soon. */
import { describeAnswerRows } from './answerCases.js';
import { bodyRows } from './answerRows.js';

describeAnswerRows(bodyRows);
