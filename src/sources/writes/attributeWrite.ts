/** Checks the input of a write of custom attributes, and converts it to the values to send. */
import type { WireAttributeValue } from '../../rest/wire.js';
import type { CustomAttributeName } from '../entities/customAttributes.js';
import {
  checkCount,
  checkExists,
  checkId,
  checkLength,
  createUserError,
  type InputPath,
  type UserError,
} from './userErrors.js';

/** An entry of the input. NaN stands for an invalid id. */
export interface AttributeEntry {
  parentId: number;
  attributeId: number | null;
  name: string | null;
  value: string;
}

interface AttributeWriteInput {
  entries: readonly AttributeEntry[];
  parent: { field: 'siteId' | 'streamId'; name: 'site' | 'stream' };
  /** The parents in the input that exist. */
  knownParents: ReadonlySet<number>;
  knownAttributes: readonly CustomAttributeName[];
}

interface AttributeWrite {
  /** Empty if there are errors. */
  values: WireAttributeValue[];
  errors: UserError[];
}

const MAX_VALUE_LENGTH = 256;
const MAX_ENTRIES = 10_000;

export function planAttributeWrite(input: AttributeWriteInput): AttributeWrite {
  const { entries } = input;
  if (entries.length === 0) {
    return { values: [], errors: [createUserError(['attributes'], 'REQUIRED', 'Add at least one entry.')] };
  }
  const checked = entries.map((entry, index) => checkEntry(entry, ['attributes', index], input));
  const errors = [
    ...checkCount(['attributes'], entries.length, MAX_ENTRIES),
    ...checked.flatMap((entry) => entry.errors),
    ...findDuplicates(checked),
  ];
  return { values: errors.length > 0 ? [] : checked.flatMap(({ value }) => value ?? []), errors };
}

interface CheckedEntry {
  value: WireAttributeValue | undefined;
  errors: UserError[];
}

function checkEntry(entry: AttributeEntry, path: InputPath, input: AttributeWriteInput): CheckedEntry {
  const { parentId, value } = entry;
  const attribute = findAttribute(entry, path, input);
  const errors = [
    ...checkExists([...path, input.parent.field], input.parent.name, parentId, input.knownParents),
    ...attribute.errors,
    ...checkLength([...path, 'value'], value, { max: MAX_VALUE_LENGTH }),
  ];
  const { found } = attribute;
  return { value: found && { id: found.id, display_name: found.name, parent_id: parentId, value }, errors };
}

function findAttribute(
  { attributeId, name }: AttributeEntry,
  path: InputPath,
  { knownAttributes, parent }: AttributeWriteInput,
): { found?: CustomAttributeName | undefined; errors: UserError[] } {
  if (attributeId !== null && name !== null) {
    const problem = 'Set either `attributeId` or `name`, not both.';
    return { errors: [createUserError([...path, 'name'], 'EXCLUSIVE', problem)] };
  }
  if (attributeId === null && name === null) {
    return { errors: [createUserError([...path, 'name'], 'REQUIRED', 'Set `attributeId` or `name`.')] };
  }
  const field = [...path, name === null ? 'attributeId' : 'name'];
  const errors = checkId(field, attributeId);
  if (errors.length > 0) return { errors };
  const [found, another] = knownAttributes.filter((known) =>
    name === null ? known.id === attributeId : known.name === name,
  );
  if (another) return { errors: [createUserError(field, 'AMBIGUOUS', 'Several attributes have this name.')] };
  if (found) return { found, errors: [] };
  const problem = `There is no such attribute of ${parent.name}s; see ${parent.name}CustomAttributeNames.`;
  return { errors: [createUserError(field, 'NOT_FOUND', problem)] };
}

/** Rejects duplicates, since the platform would store the last one silently. Invalid ids are not equal to each other. */
function findDuplicates(entries: readonly CheckedEntry[]): UserError[] {
  const first = new Map<string, number>();
  return entries.flatMap(({ value }, index) => {
    if (!value || Number.isNaN(value.parent_id)) return [];
    const key = `${value.parent_id} ${value.id}`;
    const earlier = first.get(key);
    if (earlier === undefined) {
      first.set(key, index);
      return [];
    }
    const message = `It is the same attribute as in entry ${earlier}.`;
    return [createUserError(['attributes', index], 'DUPLICATE', message)];
  });
}
