/** Writes usual values by code made for the very fields: several times as fast, for what comes often and always anew. */
import type { SerializeLeaf } from './leafSerializer.js';

/** A scalar that the object alone decides. */
export interface SpecialisedField {
  /** What stands before the value. */
  prefix: string;
  /** By the name of a property, or by a function of the object. */
  read: string | ((source: object) => unknown);
  serialize: SerializeLeaf;
}

/** Undefined where anything is unusual, a value that is no scalar or an error: the long way is to be gone then. */
export type SpecialisedSerializer = (source: unknown) => string | undefined;

/** From so many objects on it is worth being made. */
const MIN_OBJECTS_TO_COMPILE = 200;

export function createSpecialisedSerializer(fields: readonly SpecialisedField[]): SpecialisedSerializer {
  let objects = 0;
  let made: SpecialisedSerializer | undefined;
  return (source) => {
    if (made !== undefined) return made(source);
    objects += 1;
    if (objects > MIN_OBJECTS_TO_COMPILE) made = compileSerializer(fields);
    return undefined;
  };
}

/**
 * Such as `"{\"name\":" + text0(value0) + ",\"units\":" + text1(value1)`. In code of its own each property is read at
 * a place of its own, which engines make a single load of. Names are GraphQL names, texts are written by
 * `JSON.stringify`: nothing of a caller's becomes code.
 */
function compileSerializer(fields: readonly SpecialisedField[]): SpecialisedSerializer {
  const values = fields.map(({ read }, index) => {
    const value = typeof read === 'string' ? `source[${JSON.stringify(read)}]` : `read${index}(source)`;
    return `const value${index} = ${value}; if (isUnusual(value${index})) return undefined;`;
  });
  const parts = fields.map(({ prefix }, index) => `${JSON.stringify(prefix)} + text${index}(value${index})`);
  const functions = fields.flatMap(({ read, serialize }, index): [string, unknown][] => [
    [`read${index}`, read],
    [`text${index}`, serialize],
  ]);
  const body = `'use strict';
    return (source) => {
      if (typeof source !== 'object' || source === null) return undefined;
      try { ${values.join(' ')} return ${parts.join(' + ')}; } catch { return undefined; }
    };`;
  const create = new Function('isUnusual', ...functions.map(([name]) => name), body);
  return create(needsGeneralPath, ...functions.map(([, value]) => value)) as SpecialisedSerializer;
}

function needsGeneralPath(value: unknown): boolean {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}
