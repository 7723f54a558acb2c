/** Divides the fields of a selection set into sections that are cached together. */
import type { ExecuteField } from './field.js';
import type { FieldDependence } from './fieldDependence.js';
import { FragmentCache, type FragmentCacheBudget } from './text/fragmentCache.js';
import { toJsonString } from './text/leafSerializer.js';

export interface SelectedField {
  responseName: string;
  /** A function, or the JSON text if it is the same for all objects. */
  value: ExecuteField | string;
  /** The combined dependence of the field and of everything selected below it. */
  dependence: FieldDependence;
  /** Whether a fragment cache stores the text of the field. */
  isCached: boolean;
}

interface Instruction {
  /** The JSON text before the field's value, including fields whose text is the same for all objects. */
  prefix: string;
  execute: ExecuteField;
  dependence: FieldDependence;
  isCached: boolean;
  /** The index of the next instruction in the whole selection set. */
  nextIndex: number;
}

/** Consecutive instructions whose text is cached as one fragment, or not cached. */
export interface SelectionSection {
  instructions: readonly Instruction[];
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
    prefix += `${index === 0 ? '' : ','}${toJsonString(responseName)}:`;
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
): readonly SelectionSection[] {
  const groups: Instruction[][] = [];
  for (const [index, instruction] of instructions.entries()) {
    const continues = instructions[index - 1]?.isCached === instruction.isCached;
    if (continues) groups.at(-1)?.push(instruction);
    else groups.push([instruction]);
  }
  return groups.map((group) => {
    const checksDependencies = group.some(({ dependence }) => dependence === 'sources');
    const isCached = group.some((instruction) => instruction.isCached);
    const fragmentCache = isCached ? new FragmentCache(cacheBudget, checksDependencies) : undefined;
    return { instructions: group, fragmentCache };
  });
}
