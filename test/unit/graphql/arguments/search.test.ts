/** The search for objects by words. */
import { describe, expect, it } from 'vitest';
import { findBest, readSearch, toComparable } from '../../../../src/graphql/arguments/search.js';

describe('a text for comparisons', () => {
  it.each([
    ['Tromsø', 'tromso'],
    ['CAMPANHÃ', 'campanha'],
    ['Campanha\u0303', 'campanha'],
    ['İzmir Straße', 'izmir strasse'],
    ['Łódź', 'lodz'],
    ['ΟΔΟΣ', 'οδοσ'],
    ['m³/h at 5 °C', 'm³/h at 5 °c'],
    ['東京', '東京'],
  ])('of %s is %s', (text, expected) => expect(toComparable(text)).toBe(expected));
});

describe('a search', () => {
  const items = [
    { id: 88001, name: 'Pump Tromsø' },
    { id: 88002, name: 'Pump Izaña' },
  ];
  it.each([
    ['tromso', [88001]],
    ['PUMP', [88002, 88001]],
    ['Stream:88001', [88001]],
    ['stream:pump', []],
  ])('for %s finds %j', (text, expected) => {
    const found = findBest(items, readSearch(text, 10), ({ id, name }) => ({ own: [name, String(id)] }));
    expect(found.map(({ id }) => id)).toEqual(expected);
  });
});
