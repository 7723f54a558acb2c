/** Shows the events of a subscription as a growing list. */
import type { ReactElement } from 'react';
import { type EventList, isFailure } from '../requests/eventList.js';
import { ErrorsView } from './ErrorsView.js';
import { findErrors } from './findErrors.js';
import { numbered } from './scale.js';

export function isEventList(value: unknown): value is EventList {
  return typeof value === 'object' && value !== null && 'received' in value && 'events' in value;
}

export function EventsView({ list }: { list: EventList }): ReactElement {
  const { received, events, asOf, reconnecting } = list;
  const failures = events.filter(isFailure);
  const shown = events.filter((event) => !isFailure(event));
  return (
    <>
      <p>
        {received} received{received > shown.length && `, the newest ${shown.length} shown`}
        {asOf !== undefined && <span className="fieldgraph-as-of">Platform polled up to {toTime(asOf)}</span>}
      </p>
      {reconnecting !== undefined && <p role="status">Reconnecting … {reconnecting}</p>}
      {received === 0 && failures.length === 0 && <p>No events yet.</p>}
      <ErrorsView errors={failures.flatMap(findErrors)} />
      <ol className="fieldgraph-events" reversed start={received}>
        {numbered(shown).map(({ item: event, number }) => (
          <li key={received - number}>
            <ErrorsView errors={findErrors(event)} />
            {listLeaves((event as { data?: unknown }).data).map(([name, value]) => (
              <span key={name}>
                <b>{name}</b> {value}
              </span>
            ))}
          </li>
        ))}
      </ol>
    </>
  );
}

function toTime(asOf: string): string {
  return new Date(asOf).toLocaleTimeString();
}

/** The scalars of an event's data with their paths, without the field that wraps every event. */
function listLeaves(data: unknown, path: readonly string[] = []): (readonly [string, string])[] {
  if (typeof data !== 'object' || data === null) return [[path.slice(1).join('.'), String(data)]];
  return Object.entries(data).flatMap(([key, value]) => listLeaves(value, [...path, key]));
}
