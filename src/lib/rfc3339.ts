/**
 * Formats whole Unix seconds as RFC 3339 in UTC, for example `2020-11-19T18:29:42Z`. The platform writes times without
 * the milliseconds of `Date.toISOString`.
 */
export function toRfc3339(unixSeconds: number): string {
  return `${new Date(unixSeconds * 1000).toISOString().slice(0, 19)}Z`;
}
