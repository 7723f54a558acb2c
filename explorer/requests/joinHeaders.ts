/** Joins the headers of the editor and those that the page adds. Pure. */

const CREDENTIALS = ['authorization', 'x-api-key'];

export function isCredential(name: string): boolean {
  return CREDENTIALS.includes(name.toLowerCase());
}

export function hasCredential(headers: Readonly<Record<string, unknown>>): boolean {
  return Object.keys(headers).some(isCredential);
}

/**
 * The headers of the editor and of the page. If the editor has a credential, the page's own is left out, because the
 * gateway refuses two.
 */
export function joinHeaders(
  ofPage: Readonly<Record<string, unknown>>,
  ofEditor: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  return hasCredential(ofEditor) ? { ...ofEditor } : { ...ofPage, ...ofEditor };
}
