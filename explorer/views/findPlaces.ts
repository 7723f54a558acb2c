/** Finds places and pictures in a response. Pure. */

export interface Place {
  name: string;
  latitude: number;
  longitude: number;
}

export interface Picture {
  url: string;
  sampledAt: string;
}

/** More than these are not shown. */
const MAX_PLACES = 1000;
const MAX_PICTURES = 60;

type Json = Readonly<Record<string, unknown>>;

/** Objects with a `location`, for example sites. */
export function findPlaces(data: unknown): Place[] {
  const places: Place[] = [];
  eachObject(data, (object) => {
    const { location, name } = object;
    if (places.length >= MAX_PLACES || typeof location !== 'object' || location === null) return;
    const { latitude, longitude } = location as Json;
    if (typeof latitude !== 'number' || typeof longitude !== 'number') return;
    places.push({ name: typeof name === 'string' ? name : '', latitude, longitude });
  });
  return places;
}

const IMAGE = /\.(jpe?g|png|gif|webp|svg|bmp)(\?|$)/i;

/** Objects with the `url` of an image, for example image samples. */
export function findPictures(data: unknown): Picture[] {
  const pictures: Picture[] = [];
  eachObject(data, ({ url, sampledAt, contentType }) => {
    if (pictures.length >= MAX_PICTURES || typeof url !== 'string' || !URL.canParse(url)) return;
    if (!IMAGE.test(url) && !String(contentType).startsWith('image/')) return;
    pictures.push({ url, sampledAt: typeof sampledAt === 'string' ? sampledAt : '' });
  });
  return pictures;
}

function eachObject(value: unknown, visit: (object: Json) => void): void {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) visit(value as Json);
  for (const inner of Object.values(value)) eachObject(inner, visit);
}
