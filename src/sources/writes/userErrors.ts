/** What is wrong with the input of a write, gathered to be told all at once. */

export type UserErrorCode =
  | 'REQUIRED'
  | 'INVALID_ID'
  | 'NOT_FOUND'
  | 'AMBIGUOUS'
  | 'DUPLICATE'
  | 'TOO_LONG'
  | 'TOO_MANY'
  | 'OUT_OF_RANGE'
  | 'NOT_ASCENDING'
  | 'EXCLUSIVE';

export interface UserError {
  /** Where in the input. */
  field: string[];
  code: UserErrorCode;
  message: string;
}

/** A place in the input: names, and indexes of lists. */
export type InputPath = readonly (string | number)[];

export function createUserError(path: InputPath, code: UserErrorCode, message: string): UserError {
  return { field: path.map(String), code, message };
}

/** No error where the text may be sent. */
export function checkText(
  path: InputPath,
  text: string,
  { least: min = 0, most: max }: { least?: number; most: number },
): UserError[] {
  if (text.length < min) return [createUserError(path, 'REQUIRED', 'It may not be empty.')];
  if (text.length <= max) return [];
  return [createUserError(path, 'TOO_LONG', `It has ${text.length} characters; at most ${max} are allowed.`)];
}

/** No error where the number is whole and within both bounds, or absent. */
export function checkWholeNumber(
  path: InputPath,
  value: number | null,
  min: number,
  max: number,
): UserError[] {
  if (value === null || (Number.isInteger(value) && value >= min && value <= max)) return [];
  return [createUserError(path, 'OUT_OF_RANGE', `${value} is no whole number from ${min} to ${max}.`)];
}

export function checkCount(path: InputPath, count: number, max: number): UserError[] {
  if (count <= max) return [];
  return [createUserError(path, 'TOO_MANY', `${count} are given; at most ${max} are allowed.`)];
}
