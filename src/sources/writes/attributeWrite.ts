/** Plans the writing of custom attributes: which values go out, or all that is wrong with them. */
import type { WireAttributeValue } from '../../rest/wire.js';
import type { CustomAttributeName } from '../entities/customAttributes.js';
import { checkCount, checkText, createUserError, type InputPath, type UserError } from './userErrors.js';

/** An entry of the input; NaN stands for an id that is none. */
export interface AttributeEntry {
  parentId: number;
  attributeId: number | null;
  name: string | null;
  value: string;
}

export interface AttributeWriteInput {
  entries: readonly AttributeEntry[];
  /** What carries the attributes, as the input names it. */
  parent: { field: 'siteId' | 'streamId'; name: 'site' | 'stream' };
  /** Of the parents named, those that exist. */
  knownParents: ReadonlySet<number>;
  knownAttributes: readonly CustomAttributeName[];
}

export interface AttributeWrite {
  /** Empty where there is any error. */
  values: WireAttributeValue[];
  errors: UserError[];
}

const MAX_VALUE_LENGTH = 256;
const MAX_ENTRIES = 10_000;

export function planAttributeWrite(input: AttributeWriteInput): AttributeWrite {
  const { entries } = input;
  if (entries.length === 0) {
    return { values: [], errors: [createUserError(['attributes'], 'REQUIRED', 'Give at least one.')] };
  }
  const plans = entries.map((entry, index) => planEntry(entry, ['attributes', index], input));
  const errors = [
    ...checkCount(['attributes'], entries.length, MAX_ENTRIES),
    ...plans.flatMap((plan) => plan.errors),
    ...findDuplicates(plans),
  ];
  return { values: errors.length > 0 ? [] : plans.flatMap(({ value }) => value ?? []), errors };
}

interface EntryPlan {
  value: WireAttributeValue | undefined;
  errors: UserError[];
}

function planEntry(entry: AttributeEntry, path: InputPath, input: AttributeWriteInput): EntryPlan {
  const attribute = findAttribute(entry, path, input);
  const errors = [
    ...checkParent(entry, path, input),
    ...attribute.errors,
    ...checkText([...path, 'value'], entry.value, { most: MAX_VALUE_LENGTH }),
  ];
  const { found } = attribute;
  const value = found && {
    id: found.id,
    display_name: found.name,
    parent_id: entry.parentId,
    value: entry.value,
  };
  return { value, errors };
}

function checkParent(
  { parentId }: AttributeEntry,
  path: InputPath,
  { parent, knownParents }: AttributeWriteInput,
): UserError[] {
  const place = [...path, parent.field];
  if (Number.isNaN(parentId))
    return [createUserError(place, 'INVALID_ID', `It is no id of a ${parent.name}.`)];
  if (knownParents.has(parentId)) return [];
  return [createUserError(place, 'NOT_FOUND', `There is no ${parent.name} with the id ${parentId}.`)];
}

function findAttribute(
  { attributeId, name }: AttributeEntry,
  path: InputPath,
  { knownAttributes, parent }: AttributeWriteInput,
): { found?: CustomAttributeName | undefined; errors: UserError[] } {
  if (attributeId !== null && name !== null) {
    return { errors: [createUserError([...path, 'name'], 'EXCLUSIVE', 'Give either attributeId or name.')] };
  }
  if (attributeId === null && name === null) {
    return { errors: [createUserError([...path, 'name'], 'REQUIRED', 'Give attributeId or name.')] };
  }
  const place = [...path, name === null ? 'attributeId' : 'name'];
  if (attributeId !== null && Number.isNaN(attributeId)) {
    return { errors: [createUserError(place, 'INVALID_ID', 'It is no number of an attribute.')] };
  }
  const [found, another] = knownAttributes.filter((known) =>
    name === null ? known.id === attributeId : known.name === name,
  );
  if (another) return { errors: [createUserError(place, 'AMBIGUOUS', 'Several attributes have this name.')] };
  if (found) return { found, errors: [] };
  return { errors: [createUserError(place, 'NOT_FOUND', `No ${parent.name} of the account can carry it.`)] };
}

/** The platform would take the last of two: which one is meant is not for the gateway to guess. */
function findDuplicates(plans: readonly EntryPlan[]): UserError[] {
  const first = new Map<string, number>();
  return plans.flatMap(({ value }, index) => {
    if (!value) return [];
    const key = `${value.parent_id} ${value.id}`;
    const earlier = first.get(key);
    if (earlier === undefined) first.set(key, index);
    return earlier === undefined
      ? []
      : [
          createUserError(
            ['attributes', index],
            'DUPLICATE',
            `It is the same attribute as in entry ${earlier}.`,
          ),
        ];
  });
}
