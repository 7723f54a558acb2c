/** Places the labels of points on a map, so that none touches another label or another point. Pure. */

import { CHARACTER_WIDTH } from './scale.js';

/** In pixels, as all lengths here. */
export const POINT_RADIUS = 5;
/** Between a point and any label. */
const GAP = 4;
const LABEL_HEIGHT = 13;

export interface NamedPoint {
  name: string;
  x: number;
  y: number;
}

interface Label {
  x: number;
  y: number;
  anchor: 'start' | 'end';
}

/** The text of a label: from the left to the right around the line `middle`. */
interface Box {
  left: number;
  right: number;
  middle: number;
}

/**
 * Labels the points in their order, to the right if there is room before `end`, else to the left if there is room after
 * `start`. Undefined for points without room: pointing at them shows their name.
 */
export function placeLabels(
  points: readonly NamedPoint[],
  [start, end]: readonly [number, number],
): (Label | undefined)[] {
  const boxes: Box[] = [];
  const isFree = (box: Box, own: NamedPoint) =>
    box.left >= start &&
    box.right <= end &&
    !points.some((point) => point !== own && touchesPoint(box, point)) &&
    !boxes.some((other) => touches(box, other));
  return points.map((point) => {
    const { name, x, y } = point;
    const offset = POINT_RADIUS + GAP;
    const length = name.length * CHARACTER_WIDTH;
    const right = { left: x + offset, right: x + offset + length, middle: y };
    const left = { left: x - offset - length, right: x - offset, middle: y };
    const box = [right, left].find((one) => isFree(one, point));
    if (box === undefined) return undefined;
    boxes.push(box);
    const isRight = box === right;
    return { x: isRight ? right.left : left.right, y: y + 4, anchor: isRight ? 'start' : 'end' };
  });
}

function touchesPoint({ left, right, middle }: Box, { x, y }: NamedPoint): boolean {
  const reach = POINT_RADIUS + GAP;
  return x > left - reach && x < right + reach && Math.abs(y - middle) < LABEL_HEIGHT / 2 + POINT_RADIUS;
}

function touches(one: Box, other: Box): boolean {
  return (
    one.left < other.right && one.right > other.left && Math.abs(one.middle - other.middle) < LABEL_HEIGHT
  );
}
