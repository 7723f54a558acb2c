/**
 * The RFC 3339 UTC text of whole Unix seconds, for example `2020-11-19T18:29:42Z`. `Date.toISOString` alone would add
 * milliseconds, which the platform leaves out.
 */
export function toRfc3339(unixSeconds: number): string {
  return `${new Date(unixSeconds * 1000).toISOString().slice(0, 19)}Z`;
}
