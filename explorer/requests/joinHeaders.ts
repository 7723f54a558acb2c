/** Joins the headers of the editor and those that the page adds. Pure. */

const CREDENTIALS = ['authorization', 'x-api-key'];

/** The headers of the editor, and the page's own unless the editor has a credential: the gateway refuses two. */
export function joinHeaders(
  ofPage: Readonly<Record<string, unknown>>,
  ofEditor: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  const hasCredential = Object.keys(ofEditor).some((name) => CREDENTIALS.includes(name.toLowerCase()));
  return hasCredential ? { ...ofEditor } : { ...ofPage, ...ofEditor };
}
