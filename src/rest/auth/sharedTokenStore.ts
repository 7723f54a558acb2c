/**
 * The port to a store that all processes of one credential share, so that they get by with one token. It
 * keeps one text and knows nothing of it but that it is secret at rest.
 */

/** What the store held at one moment. */
export interface StoredText {
  /** Undefined where there is none, or none that this credential wrote. */
  text: string | undefined;
  /** Names exactly this content. */
  version: string;
  /** The store's own clock, in milliseconds: the one that all processes agree on. */
  nowMs: number;
}

/** Nothing here rejects: undefined says that the store can't be used now. */
export interface SharedTokenStore {
  read(): Promise<StoredText | undefined>;
  /**
   * Writes the text, for so many milliseconds, where the content is still the version that was read.
   * Answers what the store holds: the version is another than `version` either way, so `isReplaced` says it.
   */
  replace(
    version: string,
    text: string,
    lifeMs: number,
  ): Promise<(StoredText & { isReplaced: boolean }) | undefined>;
}
