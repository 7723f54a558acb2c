/** Loads what a page shows: again after each change, and again after each failure. */

const RETRY_MS = 5000;
/** Permanent errors are retried too, because somebody may correct their cause. */
const PERMANENT_RETRY_MS = 60_000;

/** An error of a GraphQL response. */
export interface ResponseError {
  message: string;
  path?: readonly (string | number)[];
  extensions?: { retryable?: boolean; retryAfterMs?: number };
}

/**
 * Milliseconds until a failed request is repeated. The error has the `errors` of the response, like `QueryError` and Apollo
 * Client's `CombinedGraphQLErrors`, unless no response arrived.
 */
export function retryDelay(error: unknown): number {
  const { errors = [] }: { errors?: readonly ResponseError[] } = Object(error);
  if (errors.length === 0) return RETRY_MS;
  const delays = errors.map(({ extensions: { retryable, retryAfterMs = 0 } = {} }) =>
    retryable === false ? PERMANENT_RETRY_MS : Math.max(RETRY_MS, retryAfterMs),
  );
  return Math.min(...delays);
}

/** Repeats a request until it succeeds. `onError` can tell the visitor why the page is waiting. */
export async function untilLoaded<Result>(
  request: () => Promise<Result>,
  onError: (error: unknown) => void,
): Promise<Result> {
  for (;;) {
    try {
      return await request();
    } catch (error) {
      onError(error);
      await new Promise((resolve) => setTimeout(resolve, retryDelay(error)));
    }
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
      retry = setTimeout(refresh, retryDelay(error));
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
