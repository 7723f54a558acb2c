/** Finds an existing site and stream, so that the operations with variables run without changes. */
import { sessionHeaders } from './session.js';

export interface Examples {
  siteId: string;
  streamId: string;
}

interface FetchedExamples {
  /** The examples that could be found. */
  found: Partial<Examples>;
  /** Whether the gateway refused the request for lack of a valid credential. */
  isRefused: boolean;
}

interface Stream {
  id: string;
  lastSample: { value: number | null } | null;
}

interface Site {
  id: string;
  streams: Stream[] | null;
}

interface ExamplesResponse {
  data?: { sites: { nodes: Site[] } | null } | null;
}

/** Shown in the variables if a first visit finds none. They have the format of an id, for the user to replace. */
export const placeholderExamples: Examples = { siteId: 'Site:1', streamId: 'Stream:1' };

/** The page opens after this time at the latest, in milliseconds, even without examples. */
const TIMEOUT_MS = 6_000;

const QUERY = `query ExplorerExamples {
  sites(first: 1) { nodes { id streams { id lastSample { value sampledAt } } } }
}`;

/** Prefers a stream whose last sample is a number, because a chart can draw it. */
function chartableStream(streams: Stream[]): Stream | undefined {
  return streams.find((stream) => typeof stream.lastSample?.value === 'number') ?? streams[0];
}

/** Never rejects. */
export async function fetchExamples(): Promise<FetchedExamples> {
  try {
    const response = await fetch('/graphql', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/graphql-response+json',
        ...sessionHeaders(),
      },
      body: JSON.stringify({ query: QUERY }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const { data }: ExamplesResponse = await response.json();
    const site = data?.sites?.nodes[0];
    const stream = chartableStream(site?.streams ?? []);
    const found = { ...(site && { siteId: site.id }), ...(stream && { streamId: stream.id }) };
    return { found, isRefused: response.status === 401 };
  } catch {
    return { found: {}, isRefused: false };
  }
}
