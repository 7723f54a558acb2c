/** The page in React, with Apollo Client and generated types. */
import { ApolloProvider, useQuery, useSubscription } from '@apollo/client/react';
import { type ReactNode, StrictMode, useCallback, useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { createRefresh } from '../dashboard/refresh.js';
import '../dashboard/style.css';
import { Alarms } from './Alarms.js';
import { client, onConnected, useFreshness, useRetry } from './client.js';
import { graphql } from './generated/gql.js';
import type { AlarmsQuery } from './generated/graphql.js';
import { SiteCharts } from './SiteCharts.js';
import { Sites } from './Sites.js';

const SITES = graphql(`
  query Sites {
    sites(first: 1000, orderBy: { field: NAME }) { nodes { id name location { latitude longitude } } }
  }
`);

/**
 * A separate query, so that charts do not wait: for the alarms, a gateway with empty caches first reads the levels of all
 * streams.
 */
const ALARMS = graphql(`
  query Alarms {
    sites(first: 1000, filter: { worstAlarm: [EVENT, EMERGENCY] }) { nodes { id } }
    streams(filter: { alarmLevel: [EVENT, EMERGENCY] }, orderBy: { field: ALARM_LEVEL, direction: DESC }) {
      nodes { id name units site { id name } threshold { id level { name } } lastSample { id value sampledAt } }
    }
  }
`);

const ALARM_CHANGES = graphql(`
  subscription AlarmChanges { thresholdStatusChanged { cursor } }
`);

/**
 * Loads the alarms into the cache, from which the page reads them. If the load fails, the page still shows the previous
 * alarms, and the load is repeated.
 */
const refreshAlarms = createRefresh(async () => {
  const { data, error } = await client.query({ query: ALARMS, fetchPolicy: 'no-cache' });
  if (data?.sites && data.streams) client.writeQuery({ query: ALARMS, data });
  if (error) throw error;
});

/** Alarms and live data are loaded after the first chart, or at once if there is none. */
function useAlarms(isActive: boolean): AlarmsQuery | undefined {
  useSubscription(ALARM_CHANGES, { skip: !isActive, onData: () => void refreshAlarms() });
  useEffect(() => {
    if (!isActive) return undefined;
    void refreshAlarms();
    return onConnected(refreshAlarms);
  }, [isActive]);
  return useQuery(ALARMS, { fetchPolicy: 'cache-only' }).data;
}

function Page(): ReactNode {
  const [hasChart, setHasChart] = useState(false);
  const { data, error, refetch } = useQuery(SITES);
  useRetry(error, refetch);
  const alarmData = useAlarms(hasChart || data?.sites?.nodes.length === 0);
  const [selected, select] = useState<string>();
  const freshness = useFreshness();
  const sites = data?.sites?.nodes ?? [];
  const siteId = selected ?? sites[0]?.id;
  const onChart = useCallback(() => setHasChart(true), []);
  const inAlarm = new Set(alarmData?.sites?.nodes.map(({ id }) => id));
  return (
    <>
      <header>
        <h1>Sites</h1>
        <output id="live">{error?.message ?? freshness}</output>
      </header>
      <Sites sites={sites} inAlarm={inAlarm} selected={siteId} select={select} />
      <main>
        <Alarms alarms={alarmData?.streams?.nodes} select={select} />
        {siteId !== undefined && <SiteCharts key={siteId} siteId={siteId} onChart={onChart} />}
      </main>
    </>
  );
}

createRoot(document.getElementById('page') as HTMLElement).render(
  <StrictMode>
    <ApolloProvider client={client}>
      <Page />
    </ApolloProvider>
  </StrictMode>,
);
