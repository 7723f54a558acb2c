/** Writes what is asked of one object: resolving and serialising are one pass. */
import { gather } from './gather.js';
import type { Path, Run, Text } from './run.js';
import { type SelectedField, type Steps, toParts, toSteps } from './selectionParts.js';
import type { TextBudget } from './textMemory.js';

export type ExecuteSelection = (source: unknown, run: Run, path: Path | undefined) => Text;

/** All the short ways are in here at once, since calls are what it would spend its time on. */
export function createSelection(fields: readonly SelectedField[], budget: TextBudget): ExecuteSelection {
  const { steps, end } = toSteps(fields);
  const parts = toParts(steps, budget);
  return (source, run, path) => {
    let text = '';
    for (const { strides, memory } of parts) {
      const known = memory?.find(source, run);
      if (known !== undefined) {
        text += known;
        continue;
      }
      const unrepeatable = run.unrepeatable;
      let written = '';
      for (const stride of strides) {
        const short = stride.usual?.(source);
        if (short !== undefined) {
          written += short;
          continue;
        }
        for (const { lead, execute, next } of stride.steps) {
          const value = execute(source, run, path);
          if (typeof value !== 'string') {
            const rest = { steps: steps.slice(next), end };
            return executeLater([text + written + lead, value], rest, source, run, path);
          }
          written += lead + value;
        }
      }
      if (run.unrepeatable === unrepeatable) memory?.add(source, written, run);
      text += written;
    }
    return text + end;
  };
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
