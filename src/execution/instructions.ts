/** Divides the fields of a selection set into sections that are cached together and groups that are serialized together. */
import type { ExecuteField } from './field.js';
import type { FieldDependence } from './fieldDependence.js';
import { FragmentCache, type FragmentCacheBudget } from './text/fragmentCache.js';
import { quote, type SerializeLeaf } from './text/leafSerializer.js';

/** One field of a selection set. */
export interface SelectedField {
  responseName: string;
  /** A function, or the JSON text if it is the same for all objects. */
  value: ExecuteField | string;
  /** The combined dependence of the field and of everything selected below it. */
  dependence: FieldDependence;
  /** Whether a fragment cache stores the text of the field. */
  isCached: boolean;
  /** How a specialised serializer writes the field. Only for scalars and enums that depend on the object alone. */
  specialised: Omit<SpecialisedField, 'prefix'> | undefined;
}

export interface Instruction {
  /** The JSON text before the field's value, including fields whose text is the same for all objects. */
  prefix: string;
  execute: ExecuteField;
  dependence: FieldDependence;
  isCached: boolean;
  specialised: SelectedField['specialised'];
  /** The index of the next instruction in the whole selection set. */
  nextIndex: number;
}

/** Consecutive instructions that share one specialised serializer, or have none. */
interface InstructionGroup {
  instructions: Instruction[];
  serializer: SpecialisedSerializer | undefined;
}

/** Consecutive instructions whose text is cached as one fragment, or not cached. */
export interface SelectionSection {
  groups: readonly InstructionGroup[];
  fragmentCache: FragmentCache | undefined;
}

export interface InstructionList {
  instructions: readonly Instruction[];
  /** The JSON text after the last instruction. */
  end: string;
}

export function toInstructions(fields: readonly SelectedField[]): InstructionList {
  const instructions: Instruction[] = [];
  let prefix = '{';
  for (const [index, { responseName, value, ...field }] of fields.entries()) {
    prefix += `${index === 0 ? '' : ','}${quote(responseName)}:`;
    if (typeof value === 'string') prefix += value;
    else {
      instructions.push({ ...field, prefix, execute: value, nextIndex: instructions.length + 1 });
      prefix = '';
    }
  }
  return { instructions, end: `${prefix}}` };
}

export function toSections(
  instructions: readonly Instruction[],
  cacheBudget: FragmentCacheBudget,
): SelectionSection[] {
  return groupNeighbours(instructions, ({ isCached }) => isCached).map((section) => {
    const checksDependencies = section.some(({ dependence }) => dependence === 'sources');
    return {
      groups: toGroups(section),
      fragmentCache: section[0]?.isCached ? new FragmentCache(cacheBudget, checksDependencies) : undefined,
    };
  });
}

function toGroups(instructions: readonly Instruction[]): InstructionGroup[] {
  return groupNeighbours(instructions, ({ specialised }) => specialised !== undefined).map((group) => {
    const fields = group.flatMap(({ prefix, specialised }) =>
      specialised ? [{ prefix, ...specialised }] : [],
    );
    return {
      instructions: group,
      serializer: fields.length > 0 ? createSpecialisedSerializer(fields) : undefined,
    };
  });
}

/** Splits a list wherever the result of the predicate changes. */
function groupNeighbours<Item>(items: readonly Item[], predicate: (item: Item) => boolean): Item[][] {
  const groups: Item[][] = [];
  for (const [index, item] of items.entries()) {
    const previous = items[index - 1];
    if (previous !== undefined && predicate(previous) === predicate(item)) groups.at(-1)?.push(item);
    else groups.push([item]);
  }
  return groups;
}

/** A scalar field whose value depends on the object alone. */
interface SpecialisedField {
  /** The JSON text before the value. */
  prefix: string;
  /** The name of a property, or a function of the object. */
  read: string | ((source: object) => unknown);
  serialize: SerializeLeaf;
}

/** Returns undefined if a value is not a scalar or an error occurs. The caller then uses the general path. */
type SpecialisedSerializer = (source: unknown) => string | undefined;

/** The number of objects from which generating code pays off. */
const MIN_OBJECTS_TO_COMPILE = 200;

/** Serializes scalars of an object with code generated for its fields. It is several times faster than the general path. */
function createSpecialisedSerializer(fields: readonly SpecialisedField[]): SpecialisedSerializer {
  let objects = 0;
  let compiled: SpecialisedSerializer | undefined;
  return (source) => {
    if (compiled !== undefined) return compiled(source);
    objects += 1;
    if (objects > MIN_OBJECTS_TO_COMPILE) compiled = compileSerializer(fields);
    return undefined;
  };
}

/**
 * Generates code such as `"{\"name\":" + text0(value0) + ",\"units\":" + text1(value1)`. Each property access is a
 * separate expression, so that the engine can optimise each to a single load. Property names are GraphQL names and texts
 * are quoted by `JSON.stringify`, so no input of a caller becomes code.
 */
function compileSerializer(fields: readonly SpecialisedField[]): SpecialisedSerializer {
  const values = fields.map(({ read }, index) => {
    const value = typeof read === 'string' ? `source[${JSON.stringify(read)}]` : `read${index}(source)`;
    return `const value${index} = ${value}; if (needsGeneralPath(value${index})) return undefined;`;
  });
  const texts = fields.map(({ prefix }, index) => `${JSON.stringify(prefix)} + text${index}(value${index})`);
  const functions = fields.flatMap(({ read, serialize }, index): [string, unknown][] => [
    [`read${index}`, read],
    [`text${index}`, serialize],
  ]);
  const body = `'use strict';
    return (source) => {
      if (typeof source !== 'object' || source === null) return undefined;
      try { ${values.join(' ')} return ${texts.join(' + ')}; } catch { return undefined; }
    };`;
  const create = new Function('needsGeneralPath', ...functions.map(([name]) => name), body);
  return create(needsGeneralPath, ...functions.map(([, value]) => value)) as SpecialisedSerializer;
}

function needsGeneralPath(value: unknown): boolean {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}
