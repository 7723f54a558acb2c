/**
 * Finds operations that read only the data of time ranges: samples, aggregates and charts of streams that are named by
 * id, without names or units, which can change. When all their ranges are closed, clients may reuse the response for a
 * long time. Pure.
 */
import {
  type FieldNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  valueFromASTUntyped,
} from 'graphql';
import { toRecord } from '../../lib/records.js';
import { toUnixMs } from '../arguments/timeArguments.js';

type Variables = Readonly<Record<string, unknown>>;

/** Fields that never change. */
const FIXED = new Set(['id', 'platformId', '__typename']);
/** Fields that have only data of their `range`, by the root field that they are below. */
const RANGED: Readonly<Record<string, ReadonlySet<string>>> = {
  stream: new Set(['series', 'aggregates', 'samples']),
  site: new Set(['series']),
};
/** Parts of ranged fields that can change at any time. */
const CHANGING = new Set(['stream', 'streamName', 'siteName', 'units']);
/** Arguments that select streams by what they are today. */
const SELECTING = ['type', 'siteIds'];

/** The latest end of all ranges in Unix milliseconds; undefined where the result has other data too. */
export function latestRangeEnd(
  { selectionSet }: OperationDefinitionNode,
  variables: Variables,
): number | undefined {
  const ends = fieldsOf(selectionSet)?.map((root) => {
    if (root.name.value === 'chart') return rangeEnd(root, variables);
    const ranged = RANGED[root.name.value];
    const fields = ranged && fieldsOf(root.selectionSet)?.filter(({ name }) => !FIXED.has(name.value));
    if (!fields?.every(({ name }) => ranged?.has(name.value))) return undefined;
    const inner = fields.map((field) => rangeEnd(field, variables));
    return inner.every((end) => end !== undefined) ? Math.max(...inner) : undefined;
  });
  const known = ends?.filter((end) => end !== undefined) ?? [];
  const latest = Math.max(...known);
  return known.length === ends?.length && Number.isFinite(latest) ? latest : undefined;
}

function rangeEnd(field: FieldNode, variables: Variables): number | undefined {
  const read = (name: string) => {
    const argument = field.arguments?.find((one) => one.name.value === name);
    return argument && valueFromASTUntyped(argument.value, variables);
  };
  if (SELECTING.some((name) => read(name) != null) || !isUnchanging(field.selectionSet)) return undefined;
  const end = toUnixMs(toRecord(read('range'))['to']);
  return Number.isNaN(end) ? undefined : end;
}

function isUnchanging(set: SelectionSetNode | undefined): boolean {
  if (set === undefined) return true;
  const fields = fieldsOf(set);
  return (
    fields?.every((field) => !CHANGING.has(field.name.value) && isUnchanging(field.selectionSet)) ?? false
  );
}

/** Undefined with fragments, which are not followed. */
function fieldsOf(set: SelectionSetNode | undefined): readonly FieldNode[] | undefined {
  const fields = set?.selections.filter((selection) => selection.kind === Kind.FIELD);
  return fields?.length === set?.selections.length ? fields : undefined;
}
