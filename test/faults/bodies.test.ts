/** Runs the part of the fault matrix about responses that are broken or truncated. */
import { describeResponseRows } from './rows/responseCases.js';
import { bodyRows } from './rows/responseRows.js';

describeResponseRows(bodyRows);
