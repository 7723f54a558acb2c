/** The bounds of every transport where nothing is set. */

/** Unsent bytes of one connection above which nothing more is read from it. */
export const MAX_UNSENT_BYTES = 1024 * 1024;
/** Milliseconds until it has to be below that again. */
export const MAX_UNSENT_MS = 20_000;
/** Memory that the open connections of one caller may hold: unsent bytes, subscriptions, queued samples. */
export const MAX_CALLER_BYTES = 32 * 1024 * 1024;
/** Messages of one caller. A pause lets as many as `burst` come at once. */
export const MESSAGE_RATE = { perSecond: 200, burst: 2000 };
