/** Logs each write: which mutation changed which entities, and with which result. */
import { GatewayError } from '../../errors.js';
import type { AttributeEntry } from '../../sources/writes/attributeWrite.js';
import type { UserError } from '../../sources/writes/userErrors.js';
import { toNodeId } from '../arguments/nodeId.js';
import type { Context } from '../context.js';

/** The part of a log line that says what a mutation does. It contains names and ids, no values. */
export interface WriteDescription {
  mutation: string;
  /** Typed ids of the entities that the mutation changes. */
  ids: BoundedList;
  [detail: string]: unknown;
}

/** A line holds this many items of a list and characters of a text, so that no input makes it longer. */
const MAX_ITEMS = 200;
const MAX_NAMES = 50;
const MAX_TEXT_LENGTH = 100;

/** A list without duplicates, cut off at a bound; `total` counts the items before that. */
export type BoundedList = readonly string[] | { first: readonly string[]; total: number };

/** Runs a write and logs its result, once per mutation field on every transport. */
export async function logWrite<Payload extends { userErrors: readonly UserError[] }>(
  { logWrite: log }: Context,
  description: WriteDescription,
  write: () => Promise<Payload>,
): Promise<Payload> {
  try {
    const payload = await write();
    log({ ...description, ...describeUserErrors(payload.userErrors) });
    return payload;
  } catch (error) {
    log({ ...description, ...describeFailure(error) });
    throw error;
  }
}

function describeUserErrors(userErrors: readonly UserError[]): object {
  if (userErrors.length === 0) return { result: 'ok' };
  return { result: 'userErrors', codes: [...new Set(userErrors.map(({ code }) => code))] };
}

function describeFailure(error: unknown): object {
  const { code, mayHaveTakenEffect } =
    error instanceof GatewayError ? error : { code: 'INTERNAL_SERVER_ERROR', mayHaveTakenEffect: undefined };
  return { result: mayHaveTakenEffect ? 'mayHaveTakenEffect' : 'failed', code };
}

export function describeAttributes(
  mutation: string,
  parentType: 'Site' | 'Stream',
  entries: readonly AttributeEntry[],
): WriteDescription {
  const ids = entries.flatMap(({ parentId }) => toIds(parentType, parentId));
  const attributes = entries.flatMap(
    ({ name, attributeId }) => name ?? toIds('CustomAttribute', attributeId),
  );
  return { mutation, ids: bound(ids, MAX_ITEMS), attributes: bound(attributes, MAX_NAMES) };
}

export function describeThreshold(
  mutation: string,
  streamId: number,
  levels: readonly { name: string }[],
): WriteDescription {
  const names = levels.map(({ name }) => name);
  return { mutation, ids: toIds('Stream', streamId), levels: bound(names, MAX_NAMES) };
}

export function describeQueue(
  mutation: string,
  {
    kind,
    agent,
    ...position
  }: { kind: string; agent?: string | null | undefined } & ({ sampleId: string } | { since: number }),
): WriteDescription {
  const texts = { ...(agent == null ? {} : { agent: shorten(agent) }) };
  const fields =
    'since' in position ? { since: toDate(position.since) } : { sampleId: shorten(position.sampleId) };
  return { mutation, ids: [], queue: kind, ...fields, ...texts };
}

/** Empty where the input is not an id. */
function toIds(type: string, id: number | null): string[] {
  return id === null || Number.isNaN(id) ? [] : [toNodeId(type, id)];
}

function bound(texts: readonly string[], max: number): BoundedList {
  const unique = [...new Set(texts)];
  const first = unique.slice(0, max).map(shorten);
  return unique.length <= max ? first : { first, total: unique.length };
}

function shorten(text: string): string {
  return text.length <= MAX_TEXT_LENGTH ? text : `${text.slice(0, MAX_TEXT_LENGTH)}…`;
}

/** A date where the number is one. */
function toDate(timeMs: number): string | number {
  const date = new Date(timeMs);
  return Number.isNaN(date.getTime()) ? timeMs : date.toISOString();
}
