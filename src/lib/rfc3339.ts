/**
 * RFC 3339 UTC text of a moment given in whole Unix seconds, for example `2020-11-19T18:29:42Z`.
 * It exists because `Date.toISOString` writes milliseconds, which the platform does not.
 */
export function toRfc3339(unixSeconds: number): string {
  return `${new Date(unixSeconds * 1000).toISOString().slice(0, 19)}Z`;
}
