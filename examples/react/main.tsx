/** The page in React, with Apollo Client and generated types. */
import { ApolloProvider, useQuery, useSubscription } from '@apollo/client/react';
import { type ReactNode, StrictMode, useState } from 'react';
import { createRoot } from 'react-dom/client';
import '../dashboard/style.css';
import { Alarms } from './Alarms.js';
import { client, useFreshness } from './client.js';
import { graphql } from './generated/gql.js';
import { SiteCharts } from './SiteCharts.js';
import { Sites } from './Sites.js';

const OVERVIEW = graphql(`
  query Overview {
    sites(first: 1000, orderBy: { field: NAME }) { nodes { id name worstAlarm location { latitude longitude } } }
    alarms: streams(filter: { alarmLevel: [EVENT, EMERGENCY] }, orderBy: { field: ALARM_LEVEL, direction: DESC }) {
      nodes { id name units site { id name } threshold { level { name } } lastSample { id value sampledAt } }
    }
  }
`);

const ALARM_CHANGES = graphql(`
  subscription AlarmChanges { thresholdStatusChanged { cursor } }
`);

function Page(): ReactNode {
  const { data, error, refetch } = useQuery(OVERVIEW);
  useSubscription(ALARM_CHANGES, { onData: () => void refetch() });
  const [selected, select] = useState<string>();
  const freshness = useFreshness();
  const sites = data?.sites?.nodes ?? [];
  const alarms = data?.alarms?.nodes ?? [];
  const siteId = selected ?? alarms[0]?.site?.id ?? sites[0]?.id;
  return (
    <>
      <header>
        <h1>Sites</h1>
        <output id="live">{error?.message ?? freshness}</output>
      </header>
      <Sites sites={sites} selected={siteId} select={select} />
      <main>
        <Alarms alarms={alarms} select={select} />
        {siteId !== undefined && <SiteCharts key={siteId} siteId={siteId} />}
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
