/** Estimates the heap that a parsed document takes, so that caches of documents can be bounded in bytes. */
import type { DocumentNode } from 'graphql';

/** Measured with Node 20 to 24: one AST node with its kind and its value. */
const NODE_BYTES = 48;
const LOCATION_BYTES = 100;
/** A location keeps every token of the text in memory, comments included. */
const TOKEN_BYTES = 90;
const EMPTY_ARRAY_BYTES = 36;
const ARRAY_BYTES = 32;
/** The minimum capacity of an array that has grown. */
const MIN_CAPACITY = 17;
const ITEM_BYTES = 8;

/** Counts nodes, arrays, locations and tokens, but not the text. The result is within a factor of 2 of the heap used. */
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

/** V8 stores strings without characters above U+00FF with one byte per character, others with two. */
export function textBytes(text: string): number {
  return /[\u0100-\uffff]/.test(text) ? 2 * text.length : text.length;
}
