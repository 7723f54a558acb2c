/** Names the objects around a value in a response, for titles of charts and captions of pictures. Pure. */

export type Json = Readonly<Record<string, unknown>>;

/** The innermost object with a name that contains a value. Texts can be empty. */
export interface Owner {
  name: string;
  units: string;
  /** Distinguishes objects with the same name: the name of the site or of the enclosing object, or else the id. */
  place: string;
}

export const noOwner: Owner = { name: '', units: '', place: '' };

export function isRecord(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export const toText = (value: unknown) => (typeof value === 'string' ? value : '');

/** The owner of the values in an object: the object itself if it has a name, otherwise that of the enclosing object. */
export function ownerIn({ name, units, site, id }: Json, around: Owner): Owner {
  if (typeof name !== 'string') return around;
  const place = (isRecord(site) && toText(site['name'])) || around.name || toText(id);
  return { name, units: toText(units), place };
}

/** The owner of a sample: its stream if the response has the name of the stream. */
export function ownerOfSample({ stream }: Json, around: Owner): Owner {
  return isRecord(stream) ? ownerIn(stream, around) : around;
}

export const joinTexts = (separator: string, texts: readonly string[]) =>
  texts.filter(Boolean).join(separator);
