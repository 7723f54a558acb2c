/** Checks numbers of arguments against their bounds. */
import { createBadInputError } from '../../errors.js';

/** Throws BAD_USER_INPUT. Both bounds are allowed. */
export function checkBetween(argument: string, value: number, min: number, max: number): void {
  if (!(value >= min && value <= max)) {
    throw createBadInputError(argument, `${value} is not between ${min} and ${max}.`);
  }
}
