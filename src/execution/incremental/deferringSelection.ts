/** Executes a selection set whose deferred fields belong to later parts of the response. */
import type { DeferredFields, DeferUsage, SelectionPlan } from '../collectFields.js';
import type { ExecuteSelection } from '../selection.js';

export interface DeferringOptions {
  /** Executes the fields of the current part. */
  execute: ExecuteSelection;
  /** The fragments that are deferred here. */
  opened: readonly DeferUsage[];
  deferred: readonly DeferredFields[];
  /** Compiles deferred fields. Called when the first of their parts begins. */
  compile(usages: ReadonlySet<DeferUsage>, fields: SelectionPlan['fields']): ExecuteSelection;
}

export function createDeferringSelection(options: DeferringOptions): ExecuteSelection {
  const { execute, opened } = options;
  const groups = options.deferred.map(({ usages, fields }) => {
    let compiled: ExecuteSelection | undefined;
    const executeDeferred: ExecuteSelection = (source, context, path) => {
      compiled ??= options.compile(usages, fields);
      return compiled(source, context, path);
    };
    return { usages: [...usages], execute: executeDeferred };
  });
  return (source, context, path) => {
    context.part?.open(opened, path);
    for (const group of groups) context.part?.defer({ ...group, source, path });
    return execute(source, context, path);
  };
}
