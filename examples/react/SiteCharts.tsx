/** The charts of one site over a range. */
import { useApolloClient, useQuery } from '@apollo/client/react';
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { Chart, createRange } from '../dashboard/chart.js';
import { onConnected, useRetry } from './client.js';
import { graphql } from './generated/gql.js';
import type { SiteStreamsQuery } from './generated/graphql.js';

const SITE_STREAMS = graphql(`
  query SiteStreams($id: ID!) {
    site(id: $id) {
      id
      name
      streams { id name units }
    }
  }
`);

/** With `after`, the result has only points that are new or have changed. */
const CHART = graphql(`
  query Chart($id: ID!, $range: TimeRange!, $after: String) {
    stream(id: $id) {
      id
      threshold {
        id
        levels {
          name lowerLimit upperLimit
          transmissionInterval transmitImmediately notificationActions { type } outputActions { type }
        }
      }
      series(range: $range, maxPoints: 500, method: MEAN, after: $after) { times values min max cursor replaceFrom }
    }
  }
`);

const SAMPLES = graphql(`
  subscription Samples($streamId: ID!) { sampleReceived(streamIds: [$streamId], kinds: [SCALAR]) { id } }
`);

const RANGES = [
  ['Day', 1],
  ['Week', 7],
  ['Month', 30],
  ['Year', 365],
] as const;

type Stream = NonNullable<NonNullable<SiteStreamsQuery['site']>['streams']>[number];

interface SiteChartsProps {
  readonly siteId: string;
  /** Called when the first chart has been drawn, or at once if the site has no chart. */
  onChart(): void;
}

export function SiteCharts({ siteId, onChart }: SiteChartsProps): ReactNode {
  // The cache stores the nulls of failed fields, so request a site again each time it is shown.
  const { data, error, refetch } = useQuery(SITE_STREAMS, {
    variables: { id: siteId },
    fetchPolicy: 'cache-and-network',
  });
  useRetry(error, refetch);
  const [days, setDays] = useState<number>(365);
  const [isFirstDrawn, setFirstDrawn] = useState(false);
  const streams = data?.site?.streams?.filter(({ units }) => units !== '') ?? [];
  const drawn = useCallback(() => {
    setFirstDrawn(true);
    onChart();
  }, [onChart]);
  const hasNoChart = (error !== undefined || data !== undefined) && streams.length === 0;
  useEffect(() => {
    if (hasNoChart) drawn();
  }, [hasNoChart, drawn]);
  return (
    <section aria-labelledby="site-title">
      <h2 id="site-title">{data?.site?.name ?? 'Charts'}</h2>
      {error && <p role="alert">{error.message}</p>}
      <fieldset id="ranges" aria-label="Range">
        {RANGES.map(([name, length]) => (
          <button key={name} type="button" aria-pressed={length === days} onClick={() => setDays(length)}>
            {name}
          </button>
        ))}
      </fieldset>
      <div id="charts">
        {streams.map((stream, index) => (
          <StreamChart
            key={stream.id}
            stream={stream}
            days={days}
            isWaiting={index > 0 && !isFirstDrawn}
            isLive={isFirstDrawn}
            onDrawn={drawn}
          />
        ))}
      </div>
    </section>
  );
}

interface StreamChartProps {
  readonly stream: Stream;
  readonly days: number;
  /** The other charts wait until the first one has been drawn, so that the visitor sees it soon. */
  readonly isWaiting: boolean;
  /** Live data starts after the first chart, so that the chart does not wait for the connection and the first poll. */
  readonly isLive: boolean;
  onDrawn(): void;
}

function StreamChart({ stream, days, isWaiting, isLive, onDrawn }: StreamChartProps): ReactNode {
  const client = useApolloClient();
  const place = useRef<HTMLDivElement>(null);
  const drawn = useRef<Chart>(undefined);
  useEffect(() => {
    if (!place.current || isWaiting) return;
    const chart = new Chart(place.current, stream.units, async (after) => {
      const variables = { id: stream.id, range: createRange(days), after: after ?? null };
      // The chart stores the points itself, so the cache needs no copy.
      const { data, error } = await client.query({ query: CHART, variables, fetchPolicy: 'no-cache' });
      if (error && !data?.stream?.series) throw error;
      return data?.stream;
    });
    drawn.current = chart;
    // Draw the other charts even if this one fails.
    void chart.refresh().then(onDrawn);
    return () => chart.destroy();
  }, [client, stream, days, isWaiting, onDrawn]);
  useEffect(() => {
    if (!isLive) return;
    const refresh = () => void drawn.current?.refresh();
    const samples = client
      .subscribe({ query: SAMPLES, variables: { streamId: stream.id } })
      .subscribe(refresh);
    const stop = onConnected(refresh);
    return () => {
      stop();
      samples.unsubscribe();
    };
  }, [client, stream, isLive]);
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
