/** The message of a thrown value. A connection to a host with several addresses fails once for each. */
export function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(messageOf).join('; ');
  return error instanceof Error ? error.message : String(error);
}

/** For a file that can't be read. Leaves out a path that is the content of a file, such as a private key. */
export function fileMessageOf(error: unknown): string {
  const withoutPath = 'The setting has the content of a file instead of its path.';
  return messageOf(error).replace(/^.*, \w+ '(\{\s*"|.*(-----BEGIN|\n)).*'$/s, withoutPath);
}

/** The code of an error of the system or of a library; undefined without one. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
