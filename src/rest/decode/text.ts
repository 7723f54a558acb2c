/** Decodes the body of a response as text. */

/** Without a byte order mark. */
export function toText(body: Buffer): string {
  const hasMark = body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf;
  return body.toString('utf8', hasMark ? 3 : 0);
}
