/** The tabs of a first visit: the operations in `operations/`, with working variables. */
import type { Examples } from './examples.js';
import chart from './operations/Chart.graphql?raw';
import fleet from './operations/Fleet.graphql?raw';
import live from './operations/Live.graphql?raw';
import nearby from './operations/Nearby.graphql?raw';
import sitePage from './operations/SitePage.graphql?raw';

/** One tab in GraphiQL's format. Its title is the name of the operation. */
export interface OperationTab {
  query: string;
  /** JSON, as the variables editor shows it. */
  variables: string | null;
}

const WELCOME = `# All sites, devices and streams in one query.
# Press the Run button or Ctrl-Enter.
# The other tabs contain more examples.
`;

const DAY_MS = 24 * 60 * 60 * 1000;

/** RFC 3339 in UTC, to the second. */
function toDateTime(time: number): string {
  return `${new Date(time).toISOString().slice(0, 19)}Z`;
}

function toTab(query: string, variables?: Record<string, unknown>): OperationTab {
  return { query, variables: variables ? JSON.stringify(variables, null, 2) : null };
}

interface Range {
  from: string;
  to: string;
}

/** The 24 hours before `now`. */
export function createRange(now: Date): Range {
  const to = now.getTime();
  return { from: toDateTime(to - DAY_MS), to: toDateTime(to) };
}

/** Returns the tabs in order. */
export function createOperationTabs({ siteId, streamId, from, to }: Examples & Range): OperationTab[] {
  return [
    toTab(WELCOME + fleet),
    toTab(sitePage, { id: siteId }),
    toTab(chart, { id: streamId, from, to }),
    toTab(nearby),
    toTab(live, { ids: null }),
  ];
}
