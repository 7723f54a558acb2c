/** The streams that are in an alarm level. */
import type { ReactNode } from 'react';
import type { AlarmsQuery } from './generated/graphql.js';

type Alarm = NonNullable<AlarmsQuery['streams']>['nodes'][number];

interface AlarmsProps {
  /** Undefined until they are loaded. */
  readonly alarms: readonly Alarm[] | undefined;
  select(siteId: string): void;
}

export function Alarms({ alarms, select }: AlarmsProps): ReactNode {
  return (
    <section aria-labelledby="alarms-title">
      <h2 id="alarms-title">Alarms</h2>
      <ul id="alarms">
        {alarms === undefined && <li>Loading …</li>}
        {alarms?.length === 0 && <li>No stream is in an alarm level.</li>}
        {alarms?.map(({ id, name, units, site, threshold, lastSample }) => (
          <li key={id}>
            <button type="button" onClick={() => site && select(site.id)}>
              <b className="alarm">{threshold.level?.name}</b> {name} {lastSample?.value} {units}{' '}
              <span className="when">
                {site?.name}, {lastSample && new Date(lastSample.sampledAt).toLocaleString()}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
