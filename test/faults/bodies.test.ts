/** Runs the part of the fault matrix about responses that are broken or truncated. */
import { describeAnswerRows } from './rows/responseCases.js';
import { bodyRows } from './rows/responseRows.js';

describeAnswerRows(bodyRows);
