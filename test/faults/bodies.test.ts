/** Runs the part of the fault matrix about responses that are broken or truncated. */
import { describeAnswerRows } from './answerCases.js';
import { bodyRows } from './answerRows.js';

describeAnswerRows(bodyRows);
