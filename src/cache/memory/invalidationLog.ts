/** Records the version of each tag's last invalidation, so that loads started before it are recognised as stale. */

/**
 * Loads usually end long before this many other tags are invalidated. A load that takes longer counts as invalidated.
 */
const MAX_TAGS = 10_000;

export function createInvalidationLog(maxTags = MAX_TAGS) {
  /** In the order of invalidation: a tag that is invalidated again moves to the end. */
  const versions = new Map<string, number>();
  let version = 0;
  /** Applies to the tags that are not recorded. */
  let unrecordedVersion = 0;

  function evictOldest(): void {
    for (const [tag, tagVersion] of versions) {
      if (versions.size <= maxTags) return;
      versions.delete(tag);
      unrecordedVersion = tagVersion;
    }
  }

  /** Version of the tag's last invalidation, or a later version if the log has removed that one. */
  const versionOf = (tag: string) => versions.get(tag) ?? unrecordedVersion;

  return {
    /** Number of invalidations so far. */
    version: (): number => version,
    versionOf,
    add(tags: readonly string[]): void {
      version += 1;
      for (const tag of tags) {
        versions.delete(tag);
        versions.set(tag, version);
      }
      evictOldest();
    },
    addAll(): void {
      version += 1;
      unrecordedVersion = version;
      versions.clear();
    },
    /** Whether one of the tags was invalidated after the version. False positives are possible, false negatives are not. */
    isInvalidatedSince: (tags: readonly string[], since: number): boolean =>
      since < unrecordedVersion || tags.some((tag) => versionOf(tag) > since),
  };
}
