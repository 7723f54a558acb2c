/** The value of a JSON text; undefined if the text is not JSON. */
export function parseSafely(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
