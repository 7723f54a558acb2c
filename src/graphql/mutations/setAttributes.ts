/** Sets custom attributes of sites or streams. */
import { type AttributeEntry, planAttributeWrite } from '../../sources/writes/attributeWrite.js';
import type { UserError } from '../../sources/writes/userErrors.js';
import type { Context } from '../context.js';
import { checkWithRefresh, findExistingIds, writeOnce } from './checkedWrite.js';

export interface SetAttributesResult {
  /** The ids of the changed entities without duplicates, in the order of the input; null if nothing was written. */
  ids: readonly number[] | null;
  userErrors: UserError[];
}

const parents = {
  sites: {
    field: 'siteId',
    name: 'site',
    attributes: 'siteAttributes',
  },
  streams: {
    field: 'streamId',
    name: 'stream',
    attributes: 'streamAttributes',
  },
} as const;

export async function setAttributes(
  context: Context,
  kind: keyof typeof parents,
  entries: readonly AttributeEntry[],
): Promise<SetAttributesResult> {
  const parent = parents[kind];
  const { values, errors } = await checkWithRefresh(context, async (sources) => {
    const ids = entries.map(({ parentId }) => parentId);
    const [knownParents, knownAttributes] = await Promise.all([
      findExistingIds(ids, sources[kind].byId),
      sources[parent.attributes].names(),
    ]);
    return planAttributeWrite({ entries, parent, knownParents, knownAttributes });
  });
  if (errors.length > 0) return { ids: null, userErrors: errors };
  const { writes } = context.sources;
  await writeOnce(context, () => writes[parent.attributes](values));
  return { ids: [...new Set(values.map(({ parent_id }) => parent_id))], userErrors: [] };
}
