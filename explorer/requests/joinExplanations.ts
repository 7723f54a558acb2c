/** Joins the explanations of a response in parts: each part has the REST calls since the part before it. */

interface Explanation {
  calls: readonly unknown[];
  plans: readonly unknown[];
}

interface Part {
  extensions?: { explain?: Explanation };
}

/**
 * Yields the results with the calls and plans of all earlier parts in each explanation, because GraphiQL replaces
 * the extensions of a part with those of the next one. A result is one part or a list of parts.
 */
export async function* joinExplanations(results: AsyncIterable<unknown>): AsyncGenerator<unknown, void> {
  let joined: Explanation = { calls: [], plans: [] };
  function join(part: Part): Part {
    const explain = part.extensions?.explain;
    if (!explain) return part;
    const { calls, plans } = joined;
    joined = { ...explain, calls: [...calls, ...explain.calls], plans: [...plans, ...explain.plans] };
    return { ...part, extensions: { ...part.extensions, explain: joined } };
  }
  for await (const result of results) {
    yield Array.isArray(result) ? result.map((part: Part) => join(part)) : join(result as Part);
  }
}
