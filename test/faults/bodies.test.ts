/** Runs the part of the fault matrix about responses that are broken or truncated. */
import { describeAnswerRows } from './responseCases.js';
import { bodyRows } from './responseRows.js';

describeAnswerRows(bodyRows);
