/** Attributes that many spans have in common: one object for each combination, so that an encoder encodes it once. */
import type { Attributes } from './span.js';

/** Names of operations come from callers. Beyond this number of combinations, all are discarded. */
const MAX_COMBINATIONS = 1000;

export class CommonAttributes {
  readonly #byKey = new Map<string, Attributes>();

  /** `create` is called if the combination is new. The key has to be short. */
  get(key: string, create: (key: string) => Attributes): Attributes {
    const known = this.#byKey.get(key);
    if (known !== undefined) return known;
    if (this.#byKey.size >= MAX_COMBINATIONS) this.#byKey.clear();
    const created = create(key);
    this.#byKey.set(key, created);
    return created;
  }
}
