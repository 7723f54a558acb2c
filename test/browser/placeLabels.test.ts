/** The labels of the explorer's map. */
import { describe, expect, it } from 'vitest';
import { type NamedPoint, placeLabels } from '../../explorer/views/placeLabels.js';

const DRAWING = [0, 400] as const;
const at = (x: number, y: number, name = 'Pasture Dubbo'): NamedPoint => ({ name, x, y });

describe('labels of a map', () => {
  it('stand to the right, or to the left where the map ends', () => {
    expect(placeLabels([at(50, 20), at(380, 60)], DRAWING)).toEqual([
      { x: 59, y: 24, anchor: 'start' },
      { x: 371, y: 64, anchor: 'end' },
    ]);
  });

  it('go to the left of a point whose right side has another point, also one that reaches into the label by its radius', () => {
    const length = 'Pasture Dubbo'.length * 7;
    for (const distance of [40, 9 + length + 1, 9 + length + 8]) {
      const [label] = placeLabels([at(150, 20), at(150 + distance, 22, '')], DRAWING);
      expect(label, String(distance)).toMatchObject({ anchor: 'end' });
    }
    const [label] = placeLabels([at(150, 20), at(150 + 9 + length + 10, 22, '')], DRAWING);
    expect(label).toMatchObject({ anchor: 'start' });
  });

  it('are left out where they would touch a label or a point on both sides', () => {
    const labels = placeLabels([at(200, 20), at(160, 20), at(240, 20)], DRAWING);
    expect(labels[0]).toBeUndefined();
    expect(placeLabels([at(200, 20), at(200, 30)], DRAWING)).toEqual([
      { x: 209, y: 24, anchor: 'start' },
      { x: 191, y: 34, anchor: 'end' },
    ]);
    expect(placeLabels([at(20, 20), at(20, 32)], DRAWING)[1]).toBeUndefined();
  });

  it('do not reach into the margin, where the labels of the axis are', () => {
    const points = [at(160, 20), at(260, 20, '')];
    expect(placeLabels(points, [0, 400])[0]).toMatchObject({ anchor: 'end' });
    expect(placeLabels(points, [61, 400])[0]).toBeUndefined();
  });
});
