/** Finds the header that a browser refuses to send, and says why: the browser's own error does not name it. Pure. */

const NAME = /^[\w!#$%&'*+\-.^`|~]+$/;
const LINE_BREAK = /[\0\r\n]/;
const NOT_LATIN_1 = /[^\0-\u{ff}]/u;

/** Undefined if all headers are valid. */
export function findInvalidHeader(headers: Readonly<Record<string, unknown>>): string | undefined {
  for (const [name, value] of Object.entries(headers)) {
    const problem = describeProblem(name, String(value).trim());
    if (problem) return `The header "${name}" is invalid: ${problem}. The operation was not sent.`;
  }
  return undefined;
}

function describeProblem(name: string, value: string): string | undefined {
  if (!NAME.test(name)) return 'a name consists of letters, digits and hyphens';
  if (LINE_BREAK.test(value)) return 'its value contains a line break';
  const [character] = NOT_LATIN_1.exec(value) ?? [];
  return character && `its value contains "${character}", but headers are limited to Latin-1 characters`;
}
