/**
 * Draws places on a grid of latitude and longitude. There are no map tiles, because the page loads nothing from
 * other servers.
 */
import type { ReactElement } from 'react';
import type { Place } from './findPlaces.js';
import { NotDrawn } from './NotDrawn.js';
import { POINT_RADIUS, placeLabels } from './placeLabels.js';
import { createScale, leftMargin, listDegrees, numbered } from './scale.js';

const MARGIN = { top: 16, right: 16, bottom: 28 };
/** Degrees around a single place. */
const MIN_SPAN = 0.02;
/** More places are counted but not drawn. */
const MAX_PLACES = 1000;

export function MapView({ places: all, width }: { places: readonly Place[]; width: number }): ReactElement {
  const places = all.slice(0, MAX_PLACES);
  const latitudes = boundsOf(places.map(({ latitude }) => latitude));
  const longitudes = boundsOf(places.map(({ longitude }) => longitude));
  const middle = ((latitudes[0] + latitudes[1]) / 2) * (Math.PI / 180);
  const shape =
    (latitudes[1] - latitudes[0]) / ((longitudes[1] - longitudes[0]) * Math.max(0.1, Math.cos(middle)));
  const height = Math.min(Math.max(width * shape, 260), 640);
  const ticks = listDegrees(...latitudes, 5, 90);
  const margin = leftMargin(ticks.map((tick) => degrees(tick, 'N', 'S')));
  const x = createScale(longitudes, [margin, width - MARGIN.right]);
  const y = createScale(latitudes, [height - MARGIN.bottom, MARGIN.top]);
  const labels = placeLabels(
    places.map(({ name, latitude, longitude }) => ({ name, x: x(longitude), y: y(latitude) })),
    [margin, width],
  );
  const count = places.length === 1 ? '1 place' : `${places.length} places`;
  return (
    <figure className="fieldgraph-chart">
      <figcaption>{count}</figcaption>
      <svg width={width} height={height} role="img" aria-label={`Map of ${count}`}>
        <g className="fieldgraph-axes">
          {ticks.map((tick) => (
            <g key={tick}>
              <line x1={margin} x2={width - MARGIN.right} y1={y(tick)} y2={y(tick)} />
              <text x={margin - 6} y={y(tick) + 4} textAnchor="end">
                {degrees(tick, 'N', 'S')}
              </text>
            </g>
          ))}
          {listDegrees(...longitudes, Math.max(2, Math.floor(width / 120)), 180).map((tick) => (
            <g key={tick}>
              <line x1={x(tick)} x2={x(tick)} y1={MARGIN.top} y2={height - MARGIN.bottom} />
              <text x={x(tick)} y={height - 8} textAnchor="middle">
                {degrees(tick, 'E', 'W')}
              </text>
            </g>
          ))}
        </g>
        {numbered(places).map(({ item: { name, latitude, longitude }, number }) => {
          const label = labels[number];
          return (
            <g key={number} className="fieldgraph-place">
              <circle cx={x(longitude)} cy={y(latitude)} r={POINT_RADIUS} />
              <title>{`${name} ${latitude}, ${longitude}`}</title>
              {label && (
                <text x={label.x} y={label.y} textAnchor={label.anchor}>
                  {name}
                </text>
              )}
            </g>
          );
        })}
      </svg>
      <NotDrawn count={all.length - MAX_PLACES} noun="place" />
    </figure>
  );
}

/** The range of the values with a margin of a tenth. */
function boundsOf(values: readonly number[]): readonly [number, number] {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const padding = Math.max((high - low) * 0.1, MIN_SPAN / 2);
  return [low - padding, high + padding];
}

function degrees(value: number, positive: string, negative: string): string {
  if (value === 0) return '0°';
  return `${Math.abs(value)}° ${value < 0 ? negative : positive}`;
}
