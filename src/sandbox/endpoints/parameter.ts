/** The kinds of path and query parameters. Each kind reads its text and provides its JSON schema. */

import { createBadRequestError } from '../httpError.js';
import type { JsonSchema } from '../openapi/field.js';
import type { OwnedTable } from './owned.js';

interface Parameter<Value> {
  readonly in: 'path' | 'query';
  readonly required: boolean;
  readonly description: string;
  readonly schema: JsonSchema;
  /** @throws HttpError 400 with the parameter's name. */
  read(name: string, text: string): Value;
  /** The value of an optional parameter that the request leaves out. Undefined by default. */
  readonly absent?: Value;
  /** The endpoint responds with 404 unless this table has the id in the caller's account. */
  readonly ownedBy?: OwnedTable;
}

export type Parameters = Readonly<Record<string, Parameter<unknown>>>;

export type ParameterValues<Table extends Parameters> = {
  readonly [Name in keyof Table]: Table[Name] extends Parameter<infer Value> ? Value : never;
};

/** The oldest date that the platform accepts in a query, in Unix seconds. */
const MIN_UNIX_SECONDS = 946688461;
const MAX_UNIX_SECONDS = 253402300799; // the end of the year 9999, the last year that RFC 3339 can express
const MAX_ID = 9223372036854775807n;
const MAX_TEXT_LENGTH = 256;
const TRUE = new Set(['true', '1']);
const FALSE = new Set(['false', '0']);

/** Reads an int64 from 1. Ids beyond 2^53 lose precision, which is harmless because the sandbox assigns no such id. */
function readId(name: string, text: string): number {
  if (!/^\d{1,19}$/.test(text) || BigInt(text) < 1n || BigInt(text) > MAX_ID) {
    throw createBadRequestError(`${name} must be an integer from 1 to ${MAX_ID}.`);
  }
  return Number(text);
}

function readInteger(name: string, text: string, minimum: number, maximum: number): number {
  const value = /^-?\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= minimum && value <= maximum) return value;
  throw createBadRequestError(`${name} must be an integer from ${minimum} to ${maximum}.`);
}

function readDate(name: string, text: string): number {
  const value = /^\d{1,12}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= MIN_UNIX_SECONDS && value <= MAX_UNIX_SECONDS) return value;
  const bounds = `from ${MIN_UNIX_SECONDS} to ${MAX_UNIX_SECONDS}`;
  throw createBadRequestError(`${name} must be a date in whole Unix seconds, ${bounds}.`);
}

/** Accepts `True` from generated clients and `1` from hand-written ones. */
function readBoolean(name: string, text: string): boolean {
  const word = text.toLowerCase();
  if (TRUE.has(word)) return true;
  if (FALSE.has(word)) return false;
  throw createBadRequestError(`${name} must be true or false.`);
}

function readText(name: string, text: string): string {
  if (text.length <= MAX_TEXT_LENGTH) return text;
  throw createBadRequestError(`${name} must be 1 to ${MAX_TEXT_LENGTH} characters of text.`);
}

const idSchema: JsonSchema = { type: 'integer', format: 'int64', minimum: 1 };
const dateSchema: JsonSchema = { ...idSchema, minimum: MIN_UNIX_SECONDS, maximum: MAX_UNIX_SECONDS };

export function pathId(description: string): Parameter<number> {
  return { in: 'path', required: true, description, schema: idSchema, read: readId };
}

/** The id of a site, device or stream of the caller's account; any other id gets a 404. */
export function ownedId(table: 'site' | 'device' | 'stream'): Parameter<number> {
  return { ...pathId(`The ${table}.`), ownedBy: table };
}

export function pathText(description: string): Parameter<string> {
  const schema = { type: 'string', minLength: 1, maxLength: MAX_TEXT_LENGTH };
  return { in: 'path', required: true, description, schema, read: readText };
}

export function queryId(description: string): Parameter<number> {
  return { in: 'query', required: true, description, schema: idSchema, read: readId };
}

export function optionalId(description: string): Parameter<number | undefined> {
  return { in: 'query', required: false, description, schema: idSchema, read: readId };
}

/** A moment in whole Unix seconds. */
export function queryDate(description: string): Parameter<number> {
  return { in: 'query', required: true, description, schema: dateSchema, read: readDate };
}

export function optionalBoolean(description: string, absent: boolean): Parameter<boolean> {
  const schema = { type: 'boolean', default: absent };
  return { in: 'query', required: false, description, schema, read: readBoolean, absent };
}

export function optionalText(description: string): Parameter<string | undefined> {
  const schema = { type: 'string', maxLength: MAX_TEXT_LENGTH };
  return { in: 'query', required: false, description, schema, read: readText };
}

export function optionalInteger<Absent extends number | undefined>(
  description: string,
  range: { minimum: number; maximum: number },
  absent: Absent,
): Parameter<number | Absent> {
  const schema = { type: 'integer', format: 'int64', ...range, default: absent };
  const read = (name: string, text: string) => readInteger(name, text, range.minimum, range.maximum);
  return { in: 'query', required: false, description, schema, read, absent };
}

/** One of a few integers, required. */
export function queryChoice(description: string, choices: readonly number[]): Parameter<number> {
  const read = (name: string, text: string) => {
    if (/^\d{1,9}$/.test(text) && choices.includes(Number(text))) return Number(text);
    throw createBadRequestError(`${name} must be one of ${choices.join(', ')}.`);
  };
  const schema = { type: 'integer', format: 'int32', enum: choices };
  return { in: 'query', required: true, description, schema, read };
}
