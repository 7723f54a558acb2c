/** Divides a selection into what is written, remembered and shortened together. */
import type { ExecuteField } from './field.js';
import { quote } from './leafText.js';
import type { Decides } from './modelField.js';
import { createTextMemory, type TextBudget, type TextMemory } from './textMemory.js';
import { createUsualText, type UsualField, type UsualText } from './usualText.js';

/** A field of a selection; as a text, it is the same for all objects. */
export interface SelectedField {
  responseName: string;
  value: ExecuteField | string;
  /** What decides, besides the object, on what the field answers and on what is asked below it. */
  decides: Decides;
  /** Whether what is written of it is worth remembering. */
  isRemembered: boolean;
  /** The short way to what it answers, where that is a plain scalar. */
  usual: Omit<UsualField, 'lead'> | undefined;
}

export interface Step {
  /** What stands before the field's value, all that is the same for all objects included. */
  lead: string;
  execute: ExecuteField;
  decides: Decides;
  isRemembered: boolean;
  usual: SelectedField['usual'];
  /** Where the next one stands among all. */
  next: number;
}

/** Steps in a row that have a short way in common, or none. */
export interface Stride {
  steps: Step[];
  usual: UsualText | undefined;
}

/** Steps in a row that are remembered together, or not at all. */
export interface Part {
  strides: readonly Stride[];
  memory: TextMemory | undefined;
}

export interface Steps {
  steps: readonly Step[];
  /** What stands behind the last one. */
  end: string;
}

export function toSteps(fields: readonly SelectedField[]): Steps {
  const steps: Step[] = [];
  let lead = '{';
  for (const [index, { responseName, value, ...field }] of fields.entries()) {
    lead += `${index === 0 ? '' : ','}${quote(responseName)}:`;
    if (typeof value === 'string') lead += value;
    else {
      steps.push({ ...field, lead, execute: value, next: steps.length + 1 });
      lead = '';
    }
  }
  return { steps, end: `${lead}}` };
}

export function toParts(steps: readonly Step[], budget: TextBudget): Part[] {
  return inRows(steps, ({ isRemembered }) => isRemembered).map((row) => ({
    strides: toStrides(row),
    memory: row[0]?.isRemembered
      ? createTextMemory(
          budget,
          row.some(({ decides }) => decides === 'readings'),
        )
      : undefined,
  }));
}

function toStrides(steps: readonly Step[]): Stride[] {
  return inRows(steps, ({ usual }) => usual !== undefined).map((row) => {
    const fields = row.flatMap(({ lead, usual }) => (usual ? [{ lead, ...usual }] : []));
    return { steps: row, usual: fields.length > 0 ? createUsualText(fields) : undefined };
  });
}

/** Neighbours of which the same is true come into one row. */
function inRows<Item>(items: readonly Item[], isSo: (item: Item) => boolean): Item[][] {
  const rows: Item[][] = [];
  for (const [index, item] of items.entries()) {
    const before = items[index - 1];
    if (before !== undefined && isSo(before) === isSo(item)) rows.at(-1)?.push(item);
    else rows.push([item]);
  }
  return rows;
}
