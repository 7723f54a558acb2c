/**
 * Parses a `Retry-After` header in both forms, seconds and HTTP date (RFC 9110, 10.2.3).
 * Returns milliseconds from `nowMs`, or undefined if the header is absent or invalid.
 */
export function retryAfterMs(header: unknown, nowMs: number): number | undefined {
  if (typeof header !== 'string' || header.trim() === '') return undefined;
  const text = header.trim();
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const atMs = Date.parse(text);
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - nowMs);
}
