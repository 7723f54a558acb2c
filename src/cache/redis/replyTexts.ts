/** Reads a list of texts out of a reply of Redis, whatever else may stand there. */
export function toStringList(reply: unknown): string[] {
  return Array.isArray(reply) ? reply.map((item) => (typeof item === 'string' ? item : '')) : [];
}
