/** The sites on a map and as a list. */
import type { ReactNode } from 'react';
import type { SitesQuery } from './generated/graphql.js';

type Site = NonNullable<SitesQuery['sites']>['nodes'][number];

interface SitesProps {
  readonly sites: readonly Site[];
  /** Ids of sites with a stream in an alarm level. */
  readonly inAlarm: ReadonlySet<string>;
  readonly selected: string | undefined;
  select(siteId: string): void;
}

export function Sites({ sites, inAlarm, selected, select }: SitesProps): ReactNode {
  return (
    <nav aria-label="Sites">
      <svg id="map" viewBox="0 0 360 150" role="img" aria-label="Map of the sites">
        {sites.map(
          (site) =>
            site.location && (
              <circle
                key={site.id}
                className={`${inAlarm.has(site.id) ? 'alarm' : ''} ${site.id === selected ? 'selected' : ''}`}
                cx={site.location.longitude + 180}
                cy={80 - site.location.latitude}
                r={4}
              />
            ),
        )}
      </svg>
      <ul id="sites">
        {sites.map((site) => (
          <li key={site.id}>
            <button type="button" aria-current={site.id === selected} onClick={() => select(site.id)}>
              {site.name}
              {inAlarm.has(site.id) && <b className="alarm">alarm</b>}
            </button>
          </li>
        ))}
      </ul>
    </nav>
  );
}
