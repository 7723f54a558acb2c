/** Divides a selection into what is written, remembered and shortened together. */
import type { ExecuteField } from './field.js';
import type { FieldDependence } from './fieldDependence.js';
import { createFragmentCache, type FragmentCache, type FragmentCacheBudget } from './text/fragmentCache.js';
import { quote } from './text/leafSerializer.js';
import {
  createSpecialisedSerializer,
  type SpecialisedField,
  type SpecialisedSerializer,
} from './text/specialisedSerializer.js';

/** A field of a selection; as a text, it is the same for all objects. */
export interface SelectedField {
  responseName: string;
  value: ExecuteField | string;
  /** What decides, besides the object, on what the field answers and on what is asked below it. */
  dependence: FieldDependence;
  /** Whether what is written of it is worth remembering. */
  isMemoised: boolean;
  /** The short way to what it answers, where that is a plain scalar. */
  specialised: Omit<SpecialisedField, 'prefix'> | undefined;
}

export interface Instruction {
  /** What stands before the field's value, all that is the same for all objects included. */
  prefix: string;
  execute: ExecuteField;
  dependence: FieldDependence;
  isMemoised: boolean;
  specialised: SelectedField['specialised'];
  /** Where the next one stands among all. */
  nextIndex: number;
}

/** Steps in a row that have a short way in common, or none. */
export interface InstructionGroup {
  instructions: Instruction[];
  serializer: SpecialisedSerializer | undefined;
}

/** Steps in a row that are remembered together, or not at all. */
export interface SelectionSection {
  groups: readonly InstructionGroup[];
  fragmentCache: FragmentCache | undefined;
}

export interface InstructionList {
  instructions: readonly Instruction[];
  /** What stands behind the last one. */
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
  steps: readonly Instruction[],
  cacheBudget: FragmentCacheBudget,
): SelectionSection[] {
  return groupNeighbours(steps, ({ isMemoised }) => isMemoised).map((row) => ({
    groups: toGroups(row),
    fragmentCache: row[0]?.isMemoised
      ? createFragmentCache(
          cacheBudget,
          row.some(({ dependence }) => dependence === 'readings'),
        )
      : undefined,
  }));
}

function toGroups(steps: readonly Instruction[]): InstructionGroup[] {
  return groupNeighbours(steps, ({ specialised }) => specialised !== undefined).map((row) => {
    const fields = row.flatMap(({ prefix, specialised }) =>
      specialised ? [{ prefix: prefix, ...specialised }] : [],
    );
    return {
      instructions: row,
      serializer: fields.length > 0 ? createSpecialisedSerializer(fields) : undefined,
    };
  });
}

/** Neighbours of which the same is true come into one row. */
function groupNeighbours<Item>(items: readonly Item[], isSo: (item: Item) => boolean): Item[][] {
  const rows: Item[][] = [];
  for (const [index, item] of items.entries()) {
    const before = items[index - 1];
    if (before !== undefined && isSo(before) === isSo(item)) rows.at(-1)?.push(item);
    else rows.push([item]);
  }
  return rows;
}
