/** Parses the ids of organizations that callers are restricted to. */
import { parseId } from '../../graphql/arguments/nodeId.js';

/** Accepts a number, its text, and the typed form `Organization:310`; undefined for anything else. */
export function toOrganizationId(value: unknown): number | undefined {
  if (typeof value === 'string') return parseId('Organization', value);
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : undefined;
}
