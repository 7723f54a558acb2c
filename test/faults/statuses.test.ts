/** Runs the part of the fault matrix about responses with an error status. */
import { describeResponseRows } from './rows/responseCases.js';
import { statusRows } from './rows/responseRows.js';

describeResponseRows(statusRows);
