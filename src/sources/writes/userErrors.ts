/** Errors in the input of a write. A payload lists all of them. */

type UserErrorCode =
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
  /** The path in the input. */
  field: string[];
  code: UserErrorCode;
  message: string;
}

/** A path in the input: field names and list indexes. */
export type InputPath = readonly (string | number)[];

export function createUserError(path: InputPath, code: UserErrorCode, message: string): UserError {
  return { field: path.map(String), code, message };
}

/** Checks the length of a string. White space alone counts as empty. */
export function checkLength(
  path: InputPath,
  text: string,
  { min = 0, max }: { min?: number; max: number },
): UserError[] {
  if (text.trim().length < min) return [createUserError(path, 'REQUIRED', 'It must not be empty.')];
  if (text.length <= max) return [];
  return [createUserError(path, 'TOO_LONG', `It has ${text.length} characters; at most ${max} are allowed.`)];
}

/** Checks that the number is whole and within both bounds, or absent. */
export function checkWholeNumber(
  path: InputPath,
  value: number | null,
  min: number,
  max: number,
): UserError[] {
  if (value === null || (Number.isInteger(value) && value >= min && value <= max)) return [];
  return [createUserError(path, 'OUT_OF_RANGE', `${value} is not a whole number from ${min} to ${max}.`)];
}

/** Checks an id that is just the platform's number, or absent. NaN stands for an invalid id. */
export function checkId(path: InputPath, id: number | null): UserError[] {
  if (!Number.isNaN(id)) return [];
  return [createUserError(path, 'INVALID_ID', 'It is not a number such as 7.')];
}

const exampleIds = { site: '"Site:16828" or "16828"', stream: '"Stream:88001" or "88001"' };

/** Checks that `known` contains the id. NaN stands for an invalid id. */
export function checkExists(
  path: InputPath,
  kind: keyof typeof exampleIds,
  id: number,
  known: ReadonlySet<number>,
): UserError[] {
  if (known.has(id)) return [];
  return Number.isNaN(id)
    ? [createUserError(path, 'INVALID_ID', `It is not a ${kind} id such as ${exampleIds[kind]}.`)]
    : [createUserError(path, 'NOT_FOUND', `There is no ${kind} with the id ${id}.`)];
}

export function checkCount(path: InputPath, count: number, max: number): UserError[] {
  if (count <= max) return [];
  return [createUserError(path, 'TOO_MANY', `There are ${count}; at most ${max} are allowed.`)];
}
