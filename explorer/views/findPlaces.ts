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

/** More than these are not shown. */
const MAX_PLACES = 1000;
const MAX_PICTURES = 60;

/** Objects with a `location` or `position`, for example sites and RFID reads. */
export function findPlaces(data: unknown): Place[] {
  const places: Place[] = [];
  eachObject(data, (object, around) => {
    const place = object['location'] ?? object['position'];
    if (places.length >= MAX_PLACES || !isRecord(place)) return;
    const { latitude, longitude } = place;
    if (typeof latitude !== 'number' || typeof longitude !== 'number') return;
    const name = isRecord(object['location']) ? toText(object['name']) : nameSource(object, around);
    places.push({ name, latitude, longitude });
  });
  return places;
}

/** The stream of a sample and its site. Empty if the response has no name. */
function nameSource(sample: Json, around: Owner): string {
  const { name, place } = ownerOfSample(sample, around);
  return joinTexts(', ', [name, place]);
}

const IMAGE = /\.(jpe?g|png|gif|webp|svg|bmp)(\?|$)/i;

/** Objects with the `url` of an image, for example image samples. */
export function findPictures(data: unknown): Picture[] {
  const pictures: Picture[] = [];
  eachObject(data, (object, around) => {
    const { url, sampledAt, contentType } = object;
    if (pictures.length >= MAX_PICTURES || typeof url !== 'string' || !URL.canParse(url)) return;
    if (!IMAGE.test(url) && !String(contentType).startsWith('image/')) return;
    pictures.push({ url, source: nameSource(object, around), sampledAt: toText(sampledAt) });
  });
  return pictures;
}

function eachObject(value: unknown, visit: (object: Json, around: Owner) => void, around = noOwner): void {
  if (typeof value !== 'object' || value === null) return;
  if (isRecord(value)) visit(value, around);
  const owner = isRecord(value) ? ownerIn(value, around) : around;
  for (const inner of Object.values(value)) eachObject(inner, visit, owner);
}
