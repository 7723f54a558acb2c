/** Estimates the heap that a parsed document takes, so that caches of documents can be bounded in bytes. */
import type { DocumentNode } from 'graphql';

/** As measured with Node 20 to 24: an object of a node with its kind and its value. */
const NODE_BYTES = 48;
const LOCATION_BYTES = 100;
/** Locations keep all tokens of the text, comments included. */
const TOKEN_BYTES = 90;
const EMPTY_ARRAY_BYTES = 36;
const ARRAY_BYTES = 32;
/** An array that grew has room for at least this many items. */
const MIN_CAPACITY = 17;
const ITEM_BYTES = 8;

/** Nodes, their arrays, locations and tokens; the text is not included. Within a factor of 2 of the heap that is used. */
export function estimateDocumentBytes(document: DocumentNode): number {
  let bytes = nodeBytes(document);
  for (let token = document.loc?.startToken ?? null; token !== null; token = token.next) bytes += TOKEN_BYTES;
  return bytes;
}

function nodeBytes(node: object): number {
  let bytes = NODE_BYTES;
  if ('loc' in node && node.loc !== undefined) bytes += LOCATION_BYTES;
  for (const [name, part] of Object.entries(node)) {
    if (name === 'loc') continue;
    if (Array.isArray(part)) bytes += arrayBytes(part);
    else if (typeof part === 'object' && part !== null) bytes += nodeBytes(part);
  }
  return bytes;
}

function arrayBytes(parts: readonly unknown[]): number {
  if (parts.length === 0) return EMPTY_ARRAY_BYTES;
  let bytes = ARRAY_BYTES + ITEM_BYTES * Math.max(MIN_CAPACITY, parts.length);
  for (const part of parts) if (typeof part === 'object' && part !== null) bytes += nodeBytes(part);
  return bytes;
}

/** Engines store texts without characters above U+00FF in one byte each. */
export function textBytes(text: string): number {
  return /[\u0100-\uffff]/.test(text) ? 2 * text.length : text.length;
}
