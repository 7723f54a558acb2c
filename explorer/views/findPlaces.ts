/** Finds places and pictures in a response. Pure. */
import {
  isRecord,
  type Json,
  joinTexts,
  noOwner,
  type Owner,
  ownerIn,
  ownerOfSample,
  toText,
} from './owners.js';

export interface Place {
  name: string;
  latitude: number;
  longitude: number;
}

export interface Picture {
  url: string;
  /** The stream and its site. Empty if the response has no name. */
  source: string;
  sampledAt: string;
}

/**
 * Objects with a `location` or `position`, for example sites and RFID reads. A place that occurs repeatedly is listed
 * once.
 */
export function findPlaces(data: unknown): Place[] {
  const places = new Map<string, Place>();
  eachObject(data, (object, around) => {
    const place = object['location'] ?? object['position'];
    if (!isRecord(place)) return;
    const { latitude, longitude } = place;
    if (typeof latitude !== 'number' || typeof longitude !== 'number') return;
    const name = isRecord(object['location']) ? toText(object['name']) : nameSource(object, around);
    places.set(JSON.stringify([name, latitude, longitude]), { name, latitude, longitude });
  });
  return [...places.values()];
}

/** The stream of a sample and its site. Empty if the response has no name. */
function nameSource(sample: Json, around: Owner): string {
  const { name, place } = ownerOfSample(sample, around);
  return joinTexts(', ', [name, place]);
}

const IMAGE = /\.(jpe?g|png|gif|webp|svg|bmp)(\?|$)/i;

/** Objects with the `url` of an image, for example image samples. A picture that occurs repeatedly is listed once. */
export function findPictures(data: unknown): Picture[] {
  const pictures = new Map<string, Picture>();
  eachObject(data, (object, around) => {
    const { url, sampledAt, contentType } = object;
    if (typeof url !== 'string' || pictures.has(url) || !URL.canParse(url)) return;
    if (!IMAGE.test(url) && !String(contentType).startsWith('image/')) return;
    pictures.set(url, { url, source: nameSource(object, around), sampledAt: toText(sampledAt) });
  });
  return [...pictures.values()];
}

function eachObject(value: unknown, visit: (object: Json, around: Owner) => void, around = noOwner): void {
  if (typeof value !== 'object' || value === null) return;
  if (isRecord(value)) visit(value, around);
  const owner = isRecord(value) ? ownerIn(value, around) : around;
  for (const inner of Object.values(value)) eachObject(inner, visit, owner);
}
