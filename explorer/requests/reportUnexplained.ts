/** Notices that the gateway did not explain an operation. The gateway does not report this. */

interface Part {
  data?: object | null;
  extensions?: { explain?: unknown };
}

/** Yields the results, each one part or a list of parts. Calls `report` if they have data and no explanation. */
export async function* reportUnexplained(
  results: AsyncIterable<unknown>,
  report: () => void,
): AsyncGenerator<unknown, void> {
  let hasData = false;
  let isExplained = false;
  for await (const result of results) {
    const parts = [result].flat() as Part[];
    hasData ||= parts.some(({ data }) => data);
    isExplained ||= parts.some(({ extensions }) => extensions?.explain !== undefined);
    yield result;
  }
  if (hasData && !isExplained) report();
}
