/** Typed ids such as `Site:16828`. Most arguments also accept just the platform's number. */
import { createBadInputError, quoteText } from '../../errors.js';
import { checkLength } from './bounds.js';

/** Types that the platform looks up by number. */
const entityTypes = [
  ...(['Organization', 'User', 'Site', 'Device', 'Channel', 'Stream', 'ImageSample'] as const),
  // The id of a threshold contains the number of its stream.
  'Threshold',
] as const;

/** Samples that the platform looks up only through their stream. Their ids contain the stream's number. */
const streamSampleTypes = ['ScalarSample', 'RfidSample'] as const;

/** Types whose ids `node` accepts. */
export const nodeTypes = [...entityTypes, ...streamSampleTypes] as const;

export type EntityType = (typeof entityTypes)[number];
export type StreamSampleType = (typeof streamSampleTypes)[number];

interface StreamSampleId {
  type: StreamSampleType;
  streamId: number;
  id: number;
}

export type NodeId = { type: EntityType; id: number } | StreamSampleId;

export function toNodeId(type: string, id: number): string {
  return `${type}:${id}`;
}

/** For example `ScalarSample:88001:90210`. */
export function toStreamSampleId({ type, streamId, id }: StreamSampleId): string {
  return `${type}:${streamId}:${id}`;
}

/**
 * Reads the id of an entity of the expected type, as typed id or number.
 * Throws BAD_USER_INPUT with the name of the argument if it is an id of another type or not an id.
 */
export function readId(expected: string, text: string, argument: string): number {
  const id = parseId(expected, text);
  if (id !== undefined) return id;
  const article = /^[AEIO]/.test(expected) ? 'an' : 'a';
  const example = isInStream(expected)
    ? `${expected}:88001:90210" or "90210`
    : `${expected}:16828" or "16828`;
  throw createBadInputError(
    argument,
    `${quoteText(text)} is not ${article} ${expected} id such as "${example}".`,
  );
}

function isInStream(type: string | undefined): boolean {
  return streamSampleTypes.some((name) => name === type);
}

export const MAX_IDS = 1000;

/** Reads a list of ids of one type. Throws BAD_USER_INPUT with the argument, and for more than `max` ids. */
export function readIds(
  expected: string,
  texts: readonly string[],
  argument: string,
  max = MAX_IDS,
): number[] {
  checkLength(argument, texts, max, 'ids');
  return texts.map((text, index) => readId(expected, text, `${argument}[${index}]`));
}

/** Like `readId`, but returns undefined if the text is not an id of the expected type. */
export function parseId(expected: string, text: string): number | undefined {
  const { type, id } = splitId(text);
  return type === undefined || type === expected ? id : undefined;
}

/** Like `readId`, but returns undefined if the argument is omitted. */
export function readOptionalId(type: string, text: string | null | undefined, argument: string) {
  return text == null ? undefined : readId(type, text, argument);
}

/** Reads an argument of `node`, which must be a typed id. Throws BAD_USER_INPUT. */
export function readNodeId(text: string, argument: string): NodeId {
  const { type, streamId, id } = splitId(text);
  const entityType = entityTypes.find((name) => name === type);
  if (entityType && id !== undefined) return { type: entityType, id };
  const sampleType = streamSampleTypes.find((name) => name === type);
  if (sampleType && id !== undefined && streamId !== undefined) return { type: sampleType, streamId, id };
  throw createBadInputError(
    argument,
    `${quoteText(text)} is not a typed id. Use an id such as "Site:16828" (${entityTypes.join(', ')}), ` +
      `or such as "ScalarSample:88001:90210" (${streamSampleTypes.join(', ')}).`,
  );
}

interface IdParts {
  type: string | undefined;
  /** Undefined if the id contains no stream. */
  streamId: number | undefined;
  /** Undefined if the text is not a valid id. */
  id: number | undefined;
}

const MAX_ID_CHARACTERS = 64;
const INVALID_ID: IdParts = { type: undefined, streamId: undefined, id: undefined };

/** Only ids of scalar and RFID samples may contain a stream's number. */
function splitId(text: string): IdParts {
  if (text.length > MAX_ID_CHARACTERS) return INVALID_ID;
  const match = /^(?:([A-Za-z]+):(?:([1-9]\d{0,15}):)?)?([1-9]\d{0,15})$/.exec(text);
  const [, type, streamText, idText] = match ?? [];
  if (streamText === undefined) return { type, streamId: undefined, id: toNumber(idText) };
  const streamId = toNumber(streamText);
  return isInStream(type) && streamId !== undefined ? { type, streamId, id: toNumber(idText) } : INVALID_ID;
}

function toNumber(digits: string | undefined): number | undefined {
  const number = Number(digits);
  return Number.isSafeInteger(number) ? number : undefined;
}

/** Like `readId`, but returns NaN if the text is not an id of this type. */
export function readIdOrNaN(type: string, text: string): number {
  return parseId(type, text) ?? Number.NaN;
}
