/**
 * Reads a `Retry-After` header in both of its forms, seconds and HTTP date (RFC 9110, 10.2.3).
 * Answers milliseconds from `nowMs`, or undefined where the header is absent or makes no sense.
 */
export function retryAfterMs(header: unknown, nowMs: number): number | undefined {
  if (typeof header !== 'string' || header.trim() === '') return undefined;
  const text = header.trim();
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const atMs = Date.parse(text);
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - nowMs);
}
