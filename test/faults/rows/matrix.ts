/** The whole fault matrix, in the order of the manual. */
import { clockRows } from './clockRows.js';
import { hugeRows } from './hugeRows.js';
import { outageRows } from './outageRows.js';
import { redisRows } from './redisRows.js';
import { bodyRows, limitRows, statusRows, toLine } from './responseRows.js';
import type { Line } from './row.js';
import { tokenRows } from './tokenRows.js';
import { waitRows } from './waitRows.js';

export const matrix: readonly Line[] = [
  ...outageRows,
  ...[...statusRows, ...limitRows, ...bodyRows].map(toLine),
  ...hugeRows,
  ...waitRows,
  ...tokenRows,
  ...clockRows,
  ...redisRows,
];
