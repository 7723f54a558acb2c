/** Refuses requests that a page of another site could send without a CORS preflight. */
import type { HeaderMap } from '@apollo/server';
import { GatewayError } from '../../errors.js';

/** Content types that browsers send across sites without a preflight (Fetch standard, "CORS-safelisted request-header"). */
const SAFELISTED_TYPES: ReadonlySet<string> = new Set([
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'text/plain',
]);

/** Browsers send these headers across sites only after a preflight. */
const PREFLIGHT_HEADERS = ['x-apollo-operation-name', 'apollo-require-preflight'];

/** Throws CSRF_REFUSED unless the content type or one of the headers forces a preflight. */
export function checkPreflight(headers: HeaderMap): void {
  const [type] = headers.get('content-type')?.split(';') ?? [];
  if (type !== undefined && !SAFELISTED_TYPES.has(type.trim().toLowerCase())) return;
  if (PREFLIGHT_HEADERS.some((name) => headers.get(name))) return;
  throw new GatewayError(
    'CSRF_REFUSED',
    'Send the header Content-Type: application/json or Apollo-Require-Preflight: 1. A page of another site cannot send them.',
  );
}
