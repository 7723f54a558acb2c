/** The port to a store of one text that all processes of one credential share, so that they share one token. */

export interface StoredText {
  /** Undefined if there is none, or if another credential wrote it. */
  text: string | undefined;
  /** Identifies this content. */
  version: string;
  /** Time of the store in milliseconds: the clock that all processes share. */
  nowMs: number;
}

/** Its methods never reject: they resolve to undefined while the store is unavailable. */
export interface SharedTokenStore {
  read(): Promise<StoredText | undefined>;
  /**
   * Writes the text for `lifeMs` if the content is still of the version. Resolves to the content afterwards, with
   * `isReplaced` if the text was written.
   */
  replace(
    version: string,
    text: string,
    lifeMs: number,
  ): Promise<(StoredText & { isReplaced: boolean }) | undefined>;
}
