/** Joins the explanations of a response in parts: each part has the REST calls since the part before it. */

interface Explanation {
  calls: readonly unknown[];
  plans: readonly unknown[];
}

interface Part {
  data?: object | null;
  extensions?: { explain?: Explanation };
}

/**
 * Yields the results with the calls and plans of all earlier parts in each explanation, because GraphiQL replaces
 * the extensions of a part with those of the next one. A result is one part or a list of parts. Calls `onUnexplained` at
 * the end of results that have data and no explanation: the gateway does not report this.
 */
export async function* joinExplanations(
  results: AsyncIterable<unknown>,
  onUnexplained: () => void,
): AsyncGenerator<unknown, void> {
  let joined: Explanation | undefined;
  let hasData = false;
  function join(part: Part): Part {
    const explain = part.extensions?.explain;
    hasData ||= Boolean(part.data);
    if (!explain) return part;
    const { calls, plans } = joined ?? { calls: [], plans: [] };
    joined = { ...explain, calls: [...calls, ...explain.calls], plans: [...plans, ...explain.plans] };
    return { ...part, extensions: { ...part.extensions, explain: joined } };
  }
  for await (const result of results) {
    yield Array.isArray(result) ? result.map((part: Part) => join(part)) : join(result as Part);
  }
  if (hasData && joined === undefined) onUnexplained();
}
