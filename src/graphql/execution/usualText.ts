/** Writes usual values by code made for the very fields: several times as fast, for what comes often and always anew. */
import type { LeafText } from './leafText.js';

/** A scalar that the object alone decides. */
export interface UsualField {
  /** What stands before the value. */
  lead: string;
  /** By the name of a property, or by a function of the object. */
  read: string | ((source: object) => unknown);
  toText: LeafText;
}

/** Undefined where anything is unusual, a value that is no scalar or an error: the long way is to be gone then. */
export type UsualText = (source: unknown) => string | undefined;

/** From so many objects on it is worth being made. */
const WORTH_IT = 200;

export function createUsualText(fields: readonly UsualField[]): UsualText {
  let objects = 0;
  let made: UsualText | undefined;
  return (source) => {
    if (made !== undefined) return made(source);
    objects += 1;
    if (objects > WORTH_IT) made = make(fields);
    return undefined;
  };
}

/**
 * Such as `"{\"name\":" + text0(value0) + ",\"units\":" + text1(value1)`. In code of its own each property is read at
 * a place of its own, which engines make a single load of. Names are GraphQL names, texts are written by
 * `JSON.stringify`: nothing of a caller's becomes code.
 */
function make(fields: readonly UsualField[]): UsualText {
  const values = fields.map(({ read }, index) => {
    const value = typeof read === 'string' ? `source[${JSON.stringify(read)}]` : `read${index}(source)`;
    return `const value${index} = ${value}; if (isUnusual(value${index})) return undefined;`;
  });
  const parts = fields.map(({ lead }, index) => `${JSON.stringify(lead)} + text${index}(value${index})`);
  const functions = fields.flatMap(({ read, toText }, index): [string, unknown][] => [
    [`read${index}`, read],
    [`text${index}`, toText],
  ]);
  const body = `'use strict';
    return (source) => {
      if (typeof source !== 'object' || source === null) return undefined;
      try { ${values.join(' ')} return ${parts.join(' + ')}; } catch { return undefined; }
    };`;
  const create = new Function('isUnusual', ...functions.map(([name]) => name), body);
  return create(isUnusual, ...functions.map(([, value]) => value)) as UsualText;
}

function isUnusual(value: unknown): boolean {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}
