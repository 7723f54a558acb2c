/** Shows the events of a subscription as a growing list. */
import type { ReactElement } from 'react';
import type { EventList } from '../requests/eventList.js';
import { numbered } from './scale.js';

export function isEventList(value: unknown): value is EventList {
  return typeof value === 'object' && value !== null && 'received' in value && 'events' in value;
}

export function EventsView({ list: { received, events } }: { list: EventList }): ReactElement {
  return (
    <>
      <p>
        {received} received{received > events.length && `, the newest ${events.length} shown`}
      </p>
      <ol className="fieldgraph-events" reversed start={received}>
        {numbered(events).map(({ item: event, number }) => (
          <li key={received - number}>
            {listLeaves(event).map(([name, value]) => (
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

/** The scalars of an event with their paths, without the fields that wrap every event. */
function listLeaves(event: unknown, path: readonly string[] = []): (readonly [string, string])[] {
  if (typeof event !== 'object' || event === null) {
    const names = path[0] === 'data' ? path.slice(2) : path;
    return [[names.join('.'), String(event)]];
  }
  return Object.entries(event).flatMap(([key, value]) => listLeaves(value, [...path, key]));
}
