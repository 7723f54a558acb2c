/**
 * Finds operations that read only the data of time ranges: samples, aggregates and charts of streams that are named by
 * id, without names or units, which can change. When all their ranges are closed and the streams exist, clients may
 * reuse the response for a long time.
 */
import { type FieldNode, Kind, type OperationDefinitionNode, type SelectionSetNode } from 'graphql';
import { toRecord } from '../../lib/records.js';
import type { Sources } from '../../sources/sources.js';
import { readId } from '../arguments/nodeId.js';
import { toUnixMs } from '../arguments/timeArguments.js';
import { readArgument } from './fragments.js';

type Variables = Readonly<Record<string, unknown>>;

/** Fields that never change. */
const FIXED = new Set(['id', 'platformId', '__typename']);
/** Fields whose data is entirely within their `range`, by the root field that they are below. */
const RANGED: Readonly<Record<string, ReadonlySet<string>>> = {
  stream: new Set(['series', 'aggregates', 'samples']),
  site: new Set(['series']),
};
/** Parts of ranged fields that can change at any time. */
const CHANGING_FIELDS = new Set(['stream', 'streamName', 'siteName', 'units', 'integral', 'integralUnits']);
/** Arguments that select streams by properties that can change. */
const CHANGING_SELECTORS = ['type', 'siteIds'];

/** Ranges that a result depends on, and the objects that it names: if one of them is created later, the result changes. */
interface ReadRanges {
  /** The latest end of all ranges, in Unix milliseconds. */
  latestEndMs: number;
  streamIds: readonly string[];
  siteIds: readonly string[];
}

/** Undefined if the result also contains other data. `variables` include their defaults. */
export function findReadRanges(
  { selectionSet }: OperationDefinitionNode,
  variables: Variables,
): ReadRanges | undefined {
  const roots = fieldsOf(selectionSet);
  const ends = roots?.flatMap((root) => rangeEndsOf(root, variables)) ?? [];
  const definedEnds = ends.filter((end) => end !== undefined);
  const latestEndMs = Math.max(...definedEnds);
  if (roots === undefined || definedEnds.length < ends.length || !Number.isFinite(latestEndMs))
    return undefined;
  const idsOf = (name: string, argument: string) =>
    roots
      .filter((root) => root.name.value === name)
      .flatMap((root) => readIdTexts(root, argument, variables));
  const lines = roots.flatMap((root) => fieldsOf(root.selectionSet) ?? []);
  return {
    latestEndMs,
    streamIds: [
      ...idsOf('stream', 'id'),
      ...idsOf('chart', 'streamIds'),
      ...lines.flatMap((field) => readIdTexts(field, 'streamIds', variables)),
    ],
    siteIds: idsOf('site', 'id'),
  };
}

/** Whether everything that the operation names exists for the caller. Resolvers share these loads. */
export async function allExist(
  { streamIds, siteIds }: Pick<ReadRanges, 'streamIds' | 'siteIds'>,
  { streams, sites }: Pick<Sources, 'streams' | 'sites'>,
): Promise<boolean> {
  try {
    const found = await Promise.all([
      ...streamIds.map((id) => streams.byId(readId('Stream', id, 'id'))),
      ...siteIds.map((id) => sites.byId(readId('Site', id, 'id'))),
    ]);
    return found.every((entity) => entity !== null);
  } catch {
    // The execution reports the error.
    return false;
  }
}

/** Undefined for a field that also has other data. */
function rangeEndsOf(root: FieldNode, variables: Variables): (number | undefined)[] {
  if (root.name.value === 'chart') return [rangeEnd(root, variables)];
  const ranged = RANGED[root.name.value];
  const fields = ranged && fieldsOf(root.selectionSet)?.filter(({ name }) => !FIXED.has(name.value));
  if (!fields?.every(({ name }) => ranged?.has(name.value))) return [undefined];
  return fields.map((field) => rangeEnd(field, variables));
}

/** A single value stands for a list of one. */
function readIdTexts(field: FieldNode, argument: string, variables: Variables): string[] {
  const value = readArgument(field, argument, variables);
  const values: unknown[] = Array.isArray(value) ? value : [value];
  // The execution refuses other values.
  return values.filter((id) => typeof id === 'string' || typeof id === 'number').map(String);
}

function rangeEnd(field: FieldNode, variables: Variables): number | undefined {
  const read = (name: string) => readArgument(field, name, variables);
  if (CHANGING_SELECTORS.some((name) => read(name) != null) || !isUnchanging(field.selectionSet))
    return undefined;
  const end = toUnixMs(toRecord(read('range'))['to']);
  return Number.isNaN(end) ? undefined : end;
}

function isUnchanging(set: SelectionSetNode | undefined): boolean {
  if (set === undefined) return true;
  const fields = fieldsOf(set);
  return (
    fields?.every((field) => !CHANGING_FIELDS.has(field.name.value) && isUnchanging(field.selectionSet)) ??
    false
  );
}

/** Undefined if the selection contains fragments, which are not supported here. */
function fieldsOf(set: SelectionSetNode | undefined): readonly FieldNode[] | undefined {
  const fields = set?.selections.filter((selection) => selection.kind === Kind.FIELD);
  return fields?.length === set?.selections.length ? fields : undefined;
}
