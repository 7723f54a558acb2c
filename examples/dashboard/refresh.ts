/** Loads what a page shows: again after each change, and again after each failure. */

const RETRY_MS = 5000;

/** Repeats a request until it succeeds. `onError` shows why the page waits. */
export async function untilLoaded<Result>(
  request: () => Promise<Result>,
  onError: (error: unknown) => void,
): Promise<Result> {
  for (;;) {
    try {
      return await request();
    } catch (error) {
      onError(error);
    }
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}

/**
 * Returns a function that loads the present state. A call during a load starts one more load after it, so that
 * loads never overlap and an older response never replaces a newer one. A load that fails is repeated later. The
 * promise never rejects: it resolves when the state is loaded, or after the first failure.
 */
export function createRefresh(
  load: () => Promise<void>,
  onError: (error: unknown) => void = () => {},
): () => Promise<void> {
  let isOutdated = false;
  let loading: Promise<void> | undefined;
  let retry: ReturnType<typeof setTimeout> | undefined;

  async function loadUntilCurrent(): Promise<void> {
    clearTimeout(retry);
    try {
      while (isOutdated) {
        isOutdated = false;
        await load();
      }
    } catch (error) {
      onError(error);
      retry = setTimeout(refresh, RETRY_MS);
    }
    loading = undefined;
  }

  function refresh(): Promise<void> {
    isOutdated = true;
    loading ??= loadUntilCurrent();
    return loading;
  }

  return refresh;
}
