/** The charts of one site over a range. */
import { useApolloClient, useQuery } from '@apollo/client/react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Chart } from '../dashboard/chart.js';
import { onConnected } from './client.js';
import { graphql } from './generated/gql.js';
import type { SiteStreamsQuery } from './generated/graphql.js';

const SITE_STREAMS = graphql(`
  query SiteStreams($id: ID!) {
    site(id: $id) {
      id
      name
      streams { id name units threshold { levels { name lowerLimit upperLimit transmissionInterval } } }
    }
  }
`);

/** With `after`, the answer has only what is new since. */
const CHART = graphql(`
  query Chart($id: ID!, $range: TimeRange!, $after: String) {
    stream(id: $id) {
      id
      series(range: $range, maxPoints: 500, method: MEAN, after: $after) { times values min max cursor replaceFrom }
    }
  }
`);

const SAMPLES = graphql(`
  subscription Samples($streamId: ID!) { sampleReceived(streamIds: [$streamId], kinds: [SCALAR]) { id } }
`);

const DAY_MS = 86_400_000;
const RANGES = [
  ['Day', 1],
  ['Week', 7],
  ['Month', 30],
  ['Year', 365],
] as const;

type Stream = NonNullable<NonNullable<SiteStreamsQuery['site']>['streams']>[number];

export function SiteCharts({ siteId }: { siteId: string }): ReactNode {
  const { data } = useQuery(SITE_STREAMS, { variables: { id: siteId } });
  const [days, setDays] = useState<number>(365);
  const streams = data?.site?.streams?.filter(({ units }) => units !== '') ?? [];
  return (
    <section aria-labelledby="site-title">
      <h2 id="site-title">{data?.site?.name ?? 'Charts'}</h2>
      <fieldset id="ranges" aria-label="Range">
        {RANGES.map(([name, length]) => (
          <button key={name} type="button" aria-pressed={length === days} onClick={() => setDays(length)}>
            {name}
          </button>
        ))}
      </fieldset>
      <div id="charts">
        {streams.map((stream) => (
          <StreamChart key={stream.id} stream={stream} days={days} />
        ))}
      </div>
    </section>
  );
}

function StreamChart({ stream, days }: { stream: Stream; days: number }): ReactNode {
  const client = useApolloClient();
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!place.current) return;
    const chart = new Chart(place.current, stream.units, stream.threshold.levels ?? []);
    const from = new Date(Date.now() - days * DAY_MS).toISOString();
    let isOpen = true;
    async function load(): Promise<void> {
      const range = { from, to: new Date(Date.now() + DAY_MS).toISOString() };
      const variables = { id: stream.id, range, after: chart.cursor ?? null };
      // The chart has the points already, so that the cache needs no copy.
      const { data } = await client.query({ query: CHART, variables, fetchPolicy: 'no-cache' });
      if (isOpen && data?.stream?.series) chart.add(data.stream.series);
    }
    const reload = () => void load().catch(() => undefined);
    reload();
    const samples = client
      .subscribe({ query: SAMPLES, variables: { streamId: stream.id } })
      .subscribe(reload);
    const stop = onConnected(reload);
    return () => {
      isOpen = false;
      stop();
      samples.unsubscribe();
      chart.destroy();
    };
  }, [client, stream, days]);
  return (
    <figure>
      <figcaption>
        <b>{stream.name}</b>
        {stream.units}
      </figcaption>
      <div className="plot" role="img" aria-label={`${stream.name} in ${stream.units}`} ref={place} />
    </figure>
  );
}
