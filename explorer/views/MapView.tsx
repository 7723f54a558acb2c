/** Draws places on a grid of latitude and longitude. No tiles, because the page loads nothing from other servers. */
import type { ReactElement } from 'react';
import type { Place } from './findPlaces.js';
import { createScale, listTicks, type Scale } from './scale.js';

const MARGIN = { top: 16, right: 16, bottom: 28, left: 56 };
/** The size of a label in pixels. */
const CHARACTER_WIDTH = 6.2;
const LABEL_HEIGHT = 13;
const POINT_WIDTH = 9;
/** Degrees around a single place. */
const MIN_SPAN = 0.02;

export function MapView({ places, width }: { places: readonly Place[]; width: number }): ReactElement {
  const latitudes = boundsOf(places.map(({ latitude }) => latitude));
  const longitudes = boundsOf(places.map(({ longitude }) => longitude));
  const middle = ((latitudes[0] + latitudes[1]) / 2) * (Math.PI / 180);
  const shape =
    (latitudes[1] - latitudes[0]) / ((longitudes[1] - longitudes[0]) * Math.max(0.1, Math.cos(middle)));
  const height = Math.min(Math.max(width * shape, 260), 640);
  const x = createScale(longitudes, [MARGIN.left, width - MARGIN.right]);
  const y = createScale(latitudes, [height - MARGIN.bottom, MARGIN.top]);
  return (
    <figure className="fieldgraph-chart">
      <figcaption>{places.length === 1 ? '1 place' : `${places.length} places`}</figcaption>
      <svg width={width} height={height} role="img" aria-label={`Map of ${places.length} places`}>
        <g className="fieldgraph-axes">
          {listTicks(...latitudes, 5).map((tick) => (
            <g key={tick}>
              <line x1={MARGIN.left} x2={width - MARGIN.right} y1={y(tick)} y2={y(tick)} />
              <text x={MARGIN.left - 6} y={y(tick) + 4} textAnchor="end">
                {degrees(tick, 'N', 'S')}
              </text>
            </g>
          ))}
          {listTicks(...longitudes, Math.max(2, Math.floor(width / 120))).map((tick) => (
            <g key={tick}>
              <line x1={x(tick)} x2={x(tick)} y1={MARGIN.top} y2={height - MARGIN.bottom} />
              <text x={x(tick)} y={height - 8} textAnchor="middle">
                {degrees(tick, 'E', 'W')}
              </text>
            </g>
          ))}
        </g>
        {placeLabels(places, x, y, width).map(({ place: { name, latitude, longitude }, label }) => (
          <g key={`${name} ${latitude} ${longitude}`} className="fieldgraph-place">
            <circle cx={x(longitude)} cy={y(latitude)} r={5} />
            <title>{`${name} ${latitude}, ${longitude}`}</title>
            {label && (
              <text x={label.x} y={label.y} textAnchor={label.anchor}>
                {name}
              </text>
            )}
          </g>
        ))}
      </svg>
    </figure>
  );
}

/** The text of a label: from the left to the right around the line `top`. */
interface Box {
  left: number;
  right: number;
  top: number;
}

interface Label {
  x: number;
  y: number;
  anchor: 'start' | 'end';
}

/**
 * Labels the places in their order, without those whose label would cover another label or another place. Pointing at a
 * place shows its name.
 */
function placeLabels(places: readonly Place[], x: Scale, y: Scale, width: number) {
  const boxes: Box[] = [];
  const points = places.map(({ longitude, latitude }) => ({ x: x(longitude), y: y(latitude) }));
  const coversPoint = (box: Box) =>
    points.some(
      (point) => point.x > box.left && point.x < box.right && Math.abs(point.y - box.top) < LABEL_HEIGHT,
    );
  return places.map((place): { place: Place; label: Label | undefined } => {
    const [pointX, pointY] = [x(place.longitude), y(place.latitude)];
    const length = place.name.length * CHARACTER_WIDTH;
    const isLeft = pointX + POINT_WIDTH + length > width;
    const left = isLeft ? pointX - POINT_WIDTH - length : pointX + POINT_WIDTH;
    const box = { left, right: left + length, top: pointY };
    const isCovering =
      coversPoint(box) ||
      boxes.some(
        (other) =>
          box.left < other.right && box.right > other.left && Math.abs(box.top - other.top) < LABEL_HEIGHT,
      );
    if (isCovering || left < 0) return { place, label: undefined };
    boxes.push(box);
    const labelX = isLeft ? pointX - POINT_WIDTH : left;
    return { place, label: { x: labelX, y: pointY + 4, anchor: isLeft ? 'end' : 'start' } };
  });
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
