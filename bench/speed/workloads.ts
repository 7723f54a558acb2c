/**
 * The operations that are measured. Where a `#` stands in the variables, a digit is put in for each request: no two
 * are alike then, though all have the same answer, so that none can be answered with what was kept of another. Pure.
 */
import { SAMPLE_STEP_SECONDS } from './stubData.js';

export type WorkloadName = 'Q1' | 'Q2' | 'Q3' | 'Q4';

export interface Workload {
  name: WorkloadName;
  what: string;
  query: string;
  /** JSON but for the places of digits. */
  variables: string;
}

/** Nothing about whole lists, or one site, has an argument to vary: what is varied is an id that is not asked for. */
const OTHER = 'other: site(id: $other) @include(if: $both) { name }';
const NOT_ASKED_FOR = '"other":"Site:1############","both":false';

const SITE_FIELDS = `name organization { name } devices { name serialNumber channels { name
  streams { name units lastSample { value sampledAt } } } }`;

export function createWorkloads(newestUnixSeconds: number): readonly Workload[] {
  return [
    {
      name: 'Q1',
      what: 'all sites, flat',
      query: `query Q1($other: ID!, $both: Boolean!) { sites(first: 100) { nodes { name status } } ${OTHER} }`,
      variables: `{${NOT_ASKED_FOR}}`,
    },
    {
      name: 'Q2',
      what: 'all sites with organization, devices, channels, streams, last samples',
      query: `query Q2($other: ID!, $both: Boolean!) { sites(first: 100) { nodes { ${SITE_FIELDS} } } ${OTHER} }`,
      variables: `{${NOT_ASKED_FOR}}`,
    },
    {
      name: 'Q3',
      what: 'one site with the same',
      query: `query Q3($id: ID!, $other: ID!, $both: Boolean!) { site(id: $id) { ${SITE_FIELDS} } ${OTHER} }`,
      variables: `{"id":"Site:117",${NOT_ASKED_FOR}}`,
    },
    {
      name: 'Q4',
      what: '2,000 samples of one stream',
      query: `query Q4($id: ID!, $older: TimeRange!, $newer: TimeRange!) { stream(id: $id) { name
  older: samples(range: $older, first: 1000) { nodes { value sampledAt } }
  newer: samples(range: $newer, first: 1000) { nodes { value sampledAt } } } }`,
      variables: `{"id":"Stream:20042","older":${thousandSamples(newestUnixSeconds, 1)},"newer":${thousandSamples(newestUnixSeconds, 0)}}`,
    },
  ];
}

/** A range that holds a thousand samples, with ends between two samples, where milliseconds make no difference. */
function thousandSamples(newestUnixSeconds: number, thousandsBack: number): string {
  const to = newestUnixSeconds - (thousandsBack * 1000 + 0.5) * SAMPLE_STEP_SECONDS;
  const text = (unixSeconds: number) => `${new Date(unixSeconds * 1000).toISOString().slice(0, 19)}.###Z`;
  return `{"from":"${text(to - 1000 * SAMPLE_STEP_SECONDS)}","to":"${text(to)}"}`;
}

/** The body of a request, with its places. */
export function bodyOf({ query, variables }: Workload): string {
  return `{"query":${JSON.stringify(query)},"variables":${variables}}`;
}
