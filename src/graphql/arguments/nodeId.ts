/** The graph's typed ids: `Site:16828`. Arguments take the platform's plain number as well. */
import { createBadInputError, GatewayError } from '../../errors.js';

/** Types that the platform finds by their number alone. */
const entityTypes = ['Organization', 'User', 'Site', 'Device', 'Channel', 'Stream', 'ImageSample'] as const;

/** Samples that the platform finds only through their stream, whose number is part of their id. */
const streamSampleTypes = ['ScalarSample', 'RfidSample'] as const;

/** Types whose ids can be given to `node`. */
export const nodeTypes = [...entityTypes, ...streamSampleTypes] as const;

export type EntityType = (typeof entityTypes)[number];
export type StreamSampleType = (typeof streamSampleTypes)[number];

export interface EntityId {
  type: EntityType;
  id: number;
}

export interface StreamSampleId {
  type: StreamSampleType;
  streamId: number;
  id: number;
}

export type NodeId = EntityId | StreamSampleId;

export function toNodeId(type: string, id: number): string {
  return `${type}:${id}`;
}

/** For example `ScalarSample:88001:90210`. */
export function toStreamSampleId({ type, streamId, id }: StreamSampleId): string {
  return `${type}:${streamId}:${id}`;
}

/**
 * Reads an argument that names something of this type, in either form.
 * Throws BAD_USER_INPUT, naming the argument, where it is another type's id or no id at all.
 */
export function readId(expected: string, text: string, argument: string): number {
  const id = parseId(expected, text);
  if (id !== undefined) return id;
  throw createBadInputError(
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
  const { type, streamId, id } = splitId(text);
  const entityType = entityTypes.find((name) => name === type);
  if (entityType && id !== undefined) return { type: entityType, id };
  const sampleType = streamSampleTypes.find((name) => name === type);
  if (sampleType && id !== undefined && streamId !== undefined) return { type: sampleType, streamId, id };
  throw createBadInputError(
    argument,
    `${JSON.stringify(text)} is no typed id; write one such as "Site:16828", of ${entityTypes.join(', ')}, ` +
      `or a sample's with its stream, such as "ScalarSample:88001:90210", of ${streamSampleTypes.join(', ')}.`,
  );
}

interface IdParts {
  type: string | undefined;
  /** Undefined where the text has none. */
  streamId: number | undefined;
  /** Undefined where the text is no id that the platform could have given out. */
  id: number | undefined;
}

const NO_ID: IdParts = { type: undefined, streamId: undefined, id: undefined };

/** A stream's number is read only in the ids of samples that carry one. */
function splitId(text: string): IdParts {
  const match = /^(?:([A-Za-z]+):(?:([1-9]\d{0,15}):)?)?([1-9]\d{0,15})$/.exec(text);
  const [, type, streamText, idText] = match ?? [];
  const isInStream = streamSampleTypes.some((name) => name === type);
  if (streamText !== undefined && (!isInStream || toNumber(streamText) === undefined)) return NO_ID;
  return { type, streamId: toNumber(streamText), id: toNumber(idText) };
}

function toNumber(digits: string | undefined): number | undefined {
  const number = Number(digits);
  return Number.isSafeInteger(number) ? number : undefined;
}

/** NaN where the text names nothing of this type. */
export function readIdOrNaN(type: string, text: string): number {
  try {
    return readId(type, text, type);
  } catch (error) {
    if (error instanceof GatewayError) return Number.NaN;
    throw error;
  }
}
