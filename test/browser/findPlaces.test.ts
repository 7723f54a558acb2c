/** The captions of the pictures, and the places on the map, in the explorer. */
import { describe, expect, it } from 'vitest';
import { findPictures, findPlaces } from '../../explorer/views/findPlaces.js';

const image = (more: object = {}) => ({
  url: 'https://images.example.com/1.png',
  sampledAt: '2026-03-01T00:00:00Z',
  ...more,
});
const sources = (data: unknown) => findPictures({ data }).map(({ source }) => source);

describe('a picture names its source', () => {
  const camera = { name: 'Camera', site: { name: 'North' } };

  it.each([
    ['by the stream and site in the sample', { images: { nodes: [image({ stream: camera })] } }],
    ['by the stream around the sample', { streams: { nodes: [{ ...camera, lastImage: image() }] } }],
    [
      'by the site around',
      { site: { name: 'North', images: { nodes: [image({ stream: { name: 'Camera' } })] } } },
    ],
  ])('%s', (_, data) => {
    expect(sources(data)).toEqual(['Camera, North']);
  });

  it('by the id of a stream without a site, and by nothing if there is no name', () => {
    expect(sources({ stream: { id: 'Stream:1', name: 'Camera', lastImage: image() } })).toEqual([
      'Camera, Stream:1',
    ]);
    expect(sources({ images: { nodes: [image({ stream: { id: 'Stream:1' } })] } })).toEqual(['']);
  });
});

describe('a place', () => {
  const position = { latitude: 39.1, longitude: -84.5 };

  it('is a site, or the position of an RFID read with the name of its reader', () => {
    const reads = {
      nodes: [{ position, stream: { name: 'Gate', site: { name: 'North' } } }, { position: null }],
    };
    expect(findPlaces({ site: { name: 'North', location: position }, reads })).toEqual([
      { name: 'North', ...position },
      { name: 'Gate, North', ...position },
    ]);
  });

  it('without a name is drawn without one', () => {
    const other = { latitude: 47.1, longitude: 8.5 };
    expect(findPlaces([{ location: position }, { position: other }])).toEqual([
      { name: '', ...position },
      { name: '', ...other },
    ]);
  });

  it('is listed once, however many streams name their site', () => {
    const stream = { site: { name: 'North', location: position } };
    const last = { site: { name: 'South', location: position } };
    expect(findPlaces({ streams: { nodes: [...Array(1000).fill(stream), last] } })).toEqual([
      { name: 'North', ...position },
      { name: 'South', ...position },
    ]);
  });
});
