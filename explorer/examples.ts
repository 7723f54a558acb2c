/** Finds one site and one stream that exist, so that the operations with variables run without any typing. */

export interface Examples {
  siteId: string;
  streamId: string;
}

interface Stream {
  id: string;
  lastSample: { value: number | null } | null;
}

interface Site {
  id: string;
  streams: Stream[] | null;
}

interface Answer {
  data?: { sites: { nodes: Site[] } | null } | null;
}

/** What the variables show when the gateway could not be asked: the shape of an id, ready to be replaced. */
export const placeholderExamples: Examples = { siteId: 'Site:1', streamId: 'Stream:1' };

/** How long the page stays empty at most, in milliseconds, while the gateway looks for examples. */
const PATIENCE_MS = 6_000;

const QUERY = `query ExplorerExamples {
  sites(first: 1) { nodes { id streams { id lastSample { value sampledAt } } } }
}`;

async function askForSite(): Promise<Site | undefined> {
  const response = await fetch('/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/graphql-response+json' },
    body: JSON.stringify({ query: QUERY }),
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  const answer: Answer = await response.json();
  return answer.data?.sites?.nodes[0];
}

/** The first stream whose last sample is a number: the one a chart can draw. */
function chartableStream(streams: Stream[]): Stream | undefined {
  return streams.find((stream) => typeof stream.lastSample?.value === 'number') ?? streams[0];
}

/** Never rejects: without access, platform or data it answers with placeholders. */
export async function fetchExamples(): Promise<Examples> {
  try {
    const site = await askForSite();
    const stream = chartableStream(site?.streams ?? []);
    return {
      siteId: site?.id ?? placeholderExamples.siteId,
      streamId: stream?.id ?? placeholderExamples.streamId,
    };
  } catch {
    return placeholderExamples;
  }
}
