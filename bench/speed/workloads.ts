/**
 * The measured operations. Each `#` in the variables is replaced by a digit per request. The requests then differ, so that
 * no cached response fits, although their responses are equal. Pure.
 */
import { SAMPLE_STEP_SECONDS } from './stub/stubData.js';

export type WorkloadName = 'Q1' | 'Q2' | 'Q3' | 'Q4';

export interface Workload {
  name: WorkloadName;
  description: string;
  query: string;
  /** JSON, except for the placeholders of digits. */
  variables: string;
}

/** A skipped field whose id varies, for operations without an argument to vary. */
const OTHER = 'other: site(id: $other) @include(if: $both) { name }';
const SKIPPED = '"other":"Site:1############","both":false';

const SITE_FIELDS = `name organization { name } devices { name serialNumber channels { name
  streams { name units lastSample { value sampledAt } } } }`;

export function createWorkloads(newestUnixSeconds: number): readonly Workload[] {
  return [
    {
      name: 'Q1',
      description: 'all sites, flat',
      query: `query Q1($other: ID!, $both: Boolean!) { sites(first: 100) { nodes { name status } } ${OTHER} }`,
      variables: `{${SKIPPED}}`,
    },
    {
      name: 'Q2',
      description: 'all sites with organization, devices, channels, streams, last samples',
      query: `query Q2($other: ID!, $both: Boolean!) { sites(first: 100) { nodes { ${SITE_FIELDS} } } ${OTHER} }`,
      variables: `{${SKIPPED}}`,
    },
    {
      name: 'Q3',
      description: 'one site with the same',
      query: `query Q3($id: ID!, $other: ID!, $both: Boolean!) { site(id: $id) { ${SITE_FIELDS} } ${OTHER} }`,
      variables: `{"id":"Site:117",${SKIPPED}}`,
    },
    {
      name: 'Q4',
      description: '2,000 samples of one stream',
      query: `query Q4($id: ID!, $older: TimeRange!, $newer: TimeRange!) { stream(id: $id) { name
  older: samples(range: $older, first: 1000) { nodes { value sampledAt } }
  newer: samples(range: $newer, first: 1000) { nodes { value sampledAt } } } }`,
      variables: `{"id":"Stream:20042","older":${thousandSamples(newestUnixSeconds, 1)},"newer":${thousandSamples(newestUnixSeconds, 0)}}`,
    },
  ];
}

/** A range of a thousand samples. Its ends lie between two samples, so that the milliseconds make no difference. */
function thousandSamples(newestUnixSeconds: number, thousandsBack: number): string {
  const to = newestUnixSeconds - (thousandsBack * 1000 + 0.5) * SAMPLE_STEP_SECONDS;
  const text = (unixSeconds: number) => `${new Date(unixSeconds * 1000).toISOString().slice(0, 19)}.###Z`;
  return `{"from":"${text(to - 1000 * SAMPLE_STEP_SECONDS)}","to":"${text(to)}"}`;
}

/** The body of a request, with placeholders. */
export function bodyOf({ query, variables }: Workload): string {
  return `{"query":${JSON.stringify(query)},"variables":${variables}}`;
}
