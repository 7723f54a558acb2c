/** Finds the errors of a response, and the reasons why changes were refused. */

export interface ResponseError {
  message: string;
  path?: readonly (string | number)[];
  /** Where the document is wrong. */
  locations?: readonly { line: number; column: number }[];
  extensions?: Extensions;
}

/** A reason why a change was refused. */
interface UserError {
  message: string;
  code?: string;
  field?: readonly string[];
}

interface Extensions {
  code?: string;
  /** Whether the same operation can succeed later. */
  retryable?: boolean;
  retryAfterMs?: number;
  requestId?: string;
  costliestFields?: readonly { field: string; cost: number }[];
}

export function findErrors(response: unknown): readonly ResponseError[] {
  const { data, errors } = (response ?? {}) as { data?: object | null; errors?: unknown };
  const userErrors = Object.entries(data ?? {}).flatMap(([name, payload]) => findUserErrors(name, payload));
  return [...listMessages<ResponseError>(errors), ...userErrors];
}

/** Why a change was refused, if the operation selects it. */
function findUserErrors(name: string, payload: { userErrors?: unknown } | null): ResponseError[] {
  const userErrors = listMessages<UserError>(payload?.userErrors);
  return userErrors.map(({ field, code, message }) => ({
    message,
    path: [name, ...(field ?? [])],
    extensions: code === undefined ? {} : { code },
  }));
}

function listMessages<Item extends { message: string }>(list: unknown): Item[] {
  return Array.isArray(list) ? list.filter((item) => typeof item?.message === 'string') : [];
}

/** Whether the response contains data besides errors. */
export function hasData(response: unknown): boolean {
  const { data } = (response ?? {}) as { data?: object | null };
  return Object.values(data ?? {}).some((value) => value !== null);
}
