/** Reads numbers of arguments, and checks them against their bounds. */
import { createBadInputError } from '../../errors.js';

export const DEFAULT_FIRST = 100;
export const MAX_FIRST = 1000;

/** Throws BAD_USER_INPUT. Both bounds are allowed. */
export function checkBetween(argument: string, value: number, min: number, max: number): void {
  if (!(value >= min && value <= max)) {
    throw createBadInputError(argument, `${value} is not between ${min} and ${max}.`);
  }
}

/** Throws BAD_USER_INPUT if a list has more items than `max`. `items` names them. */
export function checkLength(
  argument: string,
  { length }: readonly unknown[],
  max: number,
  items: string,
): void {
  if (length > max) throw createBadInputError(argument, `${length} ${items} exceed the maximum of ${max}.`);
}

/** Throws BAD_USER_INPUT if `first` is out of bounds. */
export function readFirst(first: number | null | undefined): number {
  const count = first ?? DEFAULT_FIRST;
  checkBetween('first', count, 1, MAX_FIRST);
  return count;
}
