/** The graph's typed ids: `Site:16828`. Arguments take the platform's plain number as well. */
import { badInput } from '../errors.js';

/** Types whose ids can be given to `node`. */
export const nodeTypes = [
  'Organization',
  'User',
  'Site',
  'Device',
  'Channel',
  'Stream',
  'ImageSample',
] as const;

export type NodeType = (typeof nodeTypes)[number];

export interface NodeId {
  type: NodeType;
  id: number;
}

export function toNodeId(type: string, id: number): string {
  return `${type}:${id}`;
}

/**
 * Reads an argument that names something of this type, in either form.
 * Throws BAD_USER_INPUT, naming the argument, where it is another type's id or no id at all.
 */
export function readId(expected: string, text: string, argument: string): number {
  const id = parseId(expected, text);
  if (id !== undefined) return id;
  throw badInput(
    argument,
    `${JSON.stringify(text)} is no ${expected} id; write "${expected}:16828" or "16828".`,
  );
}

/** Reads an id of this type in either form; undefined where the text is not one. */
export function parseId(expected: string, text: string): number | undefined {
  const { type, id } = splitId(text);
  return type === undefined || type === expected ? id : undefined;
}

/** As `readId`; undefined where the argument is not given. */
export function readOptionalId(type: string, text: string | null | undefined, argument: string) {
  return text == null ? undefined : readId(type, text, argument);
}

/** Reads an argument of `node`, whose type has to be part of it. Throws BAD_USER_INPUT. */
export function readNodeId(text: string, argument: string): NodeId {
  const { type, id } = splitId(text);
  const known = nodeTypes.find((name) => name === type);
  if (known && id !== undefined) return { type: known, id };
  throw badInput(
    argument,
    `${JSON.stringify(text)} is no typed id; write one such as "Site:16828", of ${nodeTypes.join(', ')}.`,
  );
}

/** `id` is undefined where the text is no id that the platform could have given out. */
function splitId(text: string): { type: string | undefined; id: number | undefined } {
  const match = /^(?:([A-Za-z]+):)?([1-9]\d{0,15})$/.exec(text);
  const id = Number(match?.[2]);
  return { type: match?.[1], id: Number.isSafeInteger(id) ? id : undefined };
}
