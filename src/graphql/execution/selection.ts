/** Writes what is asked of one object: resolving and serialising are one pass. */
import type { ExecuteField } from './field.js';
import { gather } from './gather.js';
import { quote } from './leafText.js';
import type { Path, Run, Text } from './run.js';
import { createTextMemory, type TextBudget, type TextMemory } from './textMemory.js';

export type ExecuteSelection = (source: unknown, run: Run, path: Path | undefined) => Text;

/** A field of a selection; as a text, it is the same for all objects. */
export interface SelectedField {
  responseName: string;
  value: ExecuteField | string;
  /** Whether the object alone decides what the field answers. */
  isPlain: boolean;
}

interface Step {
  /** What stands before the field's value, all that is the same for all objects included. */
  lead: string;
  execute: ExecuteField;
  isPlain: boolean;
  /** Where the next one stands among all. */
  next: number;
}

/** Steps in a row that are remembered together, or not at all. */
interface Part {
  steps: Step[];
  memory: TextMemory | undefined;
}

export function createSelection(fields: readonly SelectedField[], budget: TextBudget): ExecuteSelection {
  const { steps, end } = toSteps(fields);
  const parts = toParts(steps, budget);
  return (source, run, path) => {
    let text = '';
    for (const { steps: own, memory } of parts) {
      const known = memory?.find(source);
      if (known !== undefined) {
        text += known;
        continue;
      }
      const unrepeatable = run.unrepeatable;
      let written = '';
      for (const { lead, execute, next } of own) {
        const value = execute(source, run, path);
        if (typeof value !== 'string') {
          const rest = { steps: steps.slice(next), end };
          return executeLater([text + written + lead, value], rest, source, run, path);
        }
        written += lead + value;
      }
      if (run.unrepeatable === unrepeatable) memory?.add(source, written);
      text += written;
    }
    return text + end;
  };
}

interface Steps {
  steps: readonly Step[];
  end: string;
}

function toSteps(fields: readonly SelectedField[]): Steps {
  const steps: Step[] = [];
  let lead = '{';
  for (const [index, { responseName, value, isPlain }] of fields.entries()) {
    lead += `${index === 0 ? '' : ','}${quote(responseName)}:`;
    if (typeof value === 'string') lead += value;
    else {
      steps.push({ lead, execute: value, isPlain, next: steps.length + 1 });
      lead = '';
    }
  }
  return { steps, end: `${lead}}` };
}

function toParts(steps: readonly Step[], budget: TextBudget): Part[] {
  const parts: Part[] = [];
  for (const step of steps) {
    const last = parts.at(-1);
    if (last && (last.memory !== undefined) === step.isPlain) last.steps.push(step);
    else parts.push({ steps: [step], memory: step.isPlain ? createTextMemory(budget) : undefined });
  }
  return parts;
}

/** From the first promise on. All fields are begun before any is waited for: their loads are one batch. */
function executeLater(
  pieces: Text[],
  { steps, end }: Steps,
  source: unknown,
  run: Run,
  path: Path | undefined,
): Text {
  try {
    for (const { lead, execute } of steps) pieces.push(lead, execute(source, run, path));
  } catch (error) {
    return gather(pieces)
      .then(unchanged)
      .finally(() => {
        throw error;
      });
  }
  return gather([...pieces, end]).then(unchanged);
}

/** A turn more, as graphql-js takes it: see `gather`. */
function unchanged(text: string): string {
  return text;
}
