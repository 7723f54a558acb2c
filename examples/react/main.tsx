/** The page in React, with Apollo Client and generated types. */
import { ApolloProvider, useQuery, useSubscription } from '@apollo/client/react';
import { type ReactNode, StrictMode, useCallback, useState } from 'react';
import { createRoot } from 'react-dom/client';
import '../dashboard/style.css';
import { Alarms } from './Alarms.js';
import { client, useFreshness } from './client.js';
import { graphql } from './generated/gql.js';
import { SiteCharts } from './SiteCharts.js';
import { Sites } from './Sites.js';

const SITES = graphql(`
  query Sites {
    sites(first: 1000, orderBy: { field: NAME }) { nodes { id name location { latitude longitude } } }
  }
`);

/** A query of its own: a new gateway reads the levels of all streams for it, and no chart should wait for them. */
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

function Page(): ReactNode {
  const [hasChart, setHasChart] = useState(false);
  const { data, error } = useQuery(SITES);
  const { data: alarmData, refetch } = useQuery(ALARMS, { skip: !hasChart });
  useSubscription(ALARM_CHANGES, { skip: !hasChart, onData: () => void refetch() });
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
