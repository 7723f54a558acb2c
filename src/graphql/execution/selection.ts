/** Writes what is asked of one object: resolving and serialising are one pass. */

import type { ExecuteField } from './field.js';
import { gather } from './gather.js';
import { quote } from './leafText.js';
import type { Path, Run, Text } from './run.js';

export type ExecuteSelection = (source: unknown, run: Run, path: Path | undefined) => Text;

/** A field of a selection; as a text, it is the same for all objects. */
export interface SelectedField {
  responseName: string;
  value: ExecuteField | string;
}

interface Step {
  /** What stands before the field's value, all that is the same for all objects included. */
  lead: string;
  execute: ExecuteField;
}

export function createSelection(fields: readonly SelectedField[]): ExecuteSelection {
  const { steps, end } = toSteps(fields);
  return (source, run, path) => {
    let text = '';
    for (let index = 0; index < steps.length; index += 1) {
      const { lead, execute } = steps[index] as Step;
      const value = execute(source, run, path);
      if (typeof value === 'string') text += lead + value;
      else {
        const rest = { steps: steps.slice(index + 1), end };
        return executeLater([text + lead, value], rest, source, run, path);
      }
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
  for (const [index, { responseName, value }] of fields.entries()) {
    lead += `${index === 0 ? '' : ','}${quote(responseName)}:`;
    if (typeof value === 'string') lead += value;
    else {
      steps.push({ lead, execute: value });
      lead = '';
    }
  }
  return { steps, end: `${lead}}` };
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
