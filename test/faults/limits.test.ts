/** Runs the part of the fault matrix about responses with rate limits. */
import { describeResponseRows } from './rows/responseCases.js';
import { limitRows } from './rows/responseRows.js';

describeResponseRows(limitRows);
