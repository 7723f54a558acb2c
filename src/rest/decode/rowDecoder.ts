/**
 * Decodes rows of the REST API leniently: unknown fields are ignored, the casing of names may vary, and a missing
 * string becomes empty. Only rows without a required field, such as the id, are skipped. Valid rows are not copied.
 */
import { isRecord } from '../../lib/records.js';
import type { FieldKind, FieldValues } from '../wire.js';
import { isDateTime } from './dates.js';

type Decoded<Fields> = {
  readonly [Name in keyof Fields]: Fields[Name] extends FieldKind ? FieldValues[Fields[Name]] : never;
};

/** Returns the row, repaired if needed, or undefined if it is unusable. Calls `onUndated` for each unreadable date. */
export type RowDecoder<Row> = (raw: unknown, onUndated?: () => void) => Row | undefined;

export type RowOf<Decoder> = Decoder extends RowDecoder<infer Row> ? Row : never;

interface FieldRule {
  isRequired: boolean;
  /** The code that checks whether a value is valid. */
  toCheck(value: string): string;
  /** The value in its documented type; undefined if it is absent or unreadable. */
  repair(value: unknown): unknown;
}

interface FieldReader extends FieldRule {
  name: string;
  isDate: boolean;
  /** The documented one first. */
  spellings: readonly string[];
}

export function createRowDecoder<const Fields extends Record<string, FieldKind>>(
  fields: Fields,
): RowDecoder<Decoded<Fields>> {
  const readers = Object.entries(fields).map(
    ([name, kind]): FieldReader => ({
      name,
      isDate: kind === 'date',
      spellings: listSpellings(name),
      ...rules[kind],
    }),
  );
  const isValid = compileCheck(readers);
  return (raw, onUndated) => {
    if (!isRecord(raw)) return undefined;
    const row = isValid(raw) ? raw : repairRow(raw, readers, onUndated);
    return row as Decoded<Fields> | undefined;
  };
}

/** A decoded body, and what it lacks or cannot use. */
export interface DecodedBody<Value> {
  value: Value;
  skippedRows: number;
  /** The number of rows whose date is unreadable. They cannot be put in order of time. */
  undatedRows: number;
}

/** The usable rows of a list. */
export function decodeRows<Row>(raw: readonly unknown[], decode: RowDecoder<Row>): DecodedBody<Row[]> {
  let undatedRows = 0;
  const onUndated = () => {
    undatedRows += 1;
  };
  const value = raw.map((one) => decode(one, onUndated)).filter((row) => row !== undefined);
  return { value, skippedRows: raw.length - value.length, undatedRows };
}

/**
 * Generates code that checks whether a row is valid. Every row of every response is checked, and a loop that looks up
 * each field by a variable name takes ten times as long. The code contains only the field names of the decoders, no
 * external input.
 */
function compileCheck(readers: readonly FieldReader[]): (row: Record<string, unknown>) => boolean {
  const checks = readers.map(({ spellings, isRequired, toCheck }) => {
    const [code = '', ...others] = spellings.map((spelling) => `row[${JSON.stringify(spelling)}]`);
    if (isRequired || others.length === 0) return toCheck(code);
    // An absent field may be there in another spelling.
    const areAbsent = others.map((other) => `${other} === undefined`).join(' && ');
    return `(${code} === undefined ? ${areAbsent} : ${toCheck(code)})`;
  });
  return new Function('isDateTime', `return (row) => ${checks.join(' && ')};`)(isDateTime);
}

function repairRow(
  raw: Record<string, unknown>,
  readers: readonly FieldReader[],
  onUndated: (() => void) | undefined,
): object | undefined {
  const row: Record<string, unknown> = { ...raw };
  for (const { name, spellings, isDate, isRequired, repair } of readers) {
    const spelling = spellings.find((one) => raw[one] !== undefined && raw[one] !== null);
    const value = repair(spelling === undefined ? undefined : raw[spelling]);
    if (value === undefined && isRequired) return undefined;
    if (isDate && !isDateTime(value)) onUndated?.();
    row[name] = value;
  }
  return row;
}

/** The spellings of a field's name, the documented one first. */
function listSpellings(name: string): string[] {
  const camelCase = name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  const pascalCase = camelCase.charAt(0).toUpperCase() + camelCase.slice(1);
  return [...new Set([name, camelCase, name.replaceAll('_', '').toLowerCase(), pascalCase])];
}

const isId = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 1;

function toId(value: unknown): number | undefined {
  const id = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
  return isId(id) ? (id as number) : undefined;
}

/** A list of strings or numbers becomes its JSON, so that nothing is lost. An empty list is absent. */
function readString(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (Array.isArray(value) && value.length > 0 && value.every((item) => typeof item !== 'object')) {
    return JSON.stringify(value);
  }
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}

function toNumber(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

function toInteger(value: unknown): number | undefined {
  const number = toNumber(value);
  return number !== undefined && (number | 0) === number ? number : undefined;
}

/** Also from a string or from 1 and 0. Undefined for all other values. */
export function toBoolean(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  const word = readString(value)?.toLowerCase();
  if (word === 'true' || word === '1') return true;
  return word === 'false' || word === '0' ? false : undefined;
}

const required = (toCheck: FieldRule['toCheck'], repair: FieldRule['repair']): FieldRule => ({
  isRequired: true,
  toCheck,
  repair,
});

const id = required((value) => `Number.isSafeInteger(${value}) && ${value} >= 1`, toId);
/** An absent string becomes empty, so that no row is skipped for it. */
const string = required(
  (value) => `typeof ${value} === 'string'`,
  (value) => readString(value) ?? '',
);
/** Rows with an unreadable date are kept, because some kinds of rows are useful without it. */
const date = required((value) => `isDateTime(${value})`, string.repair);
/** JSON has numbers beyond the largest double, which are parsed as infinite. */
const number = required((value) => `Number.isFinite(${value})`, toNumber);
/** The operator alone would call the `toString` of an object, which may be a field of the platform. */
const integer = required((value) => `typeof ${value} === 'number' && (${value} | 0) === ${value}`, toInteger);

const boolean = required((value) => `typeof ${value} === 'boolean'`, toBoolean);

function optional({ toCheck, repair }: FieldRule): FieldRule {
  const orAbsent = (value: string) => `(${value} === undefined || ${toCheck(value)})`;
  return { isRequired: false, toCheck: orAbsent, repair };
}

const rules: Record<FieldKind, FieldRule> = {
  id,
  optionalId: optional(id),
  string,
  date,
  optionalString: optional({ ...string, repair: readString }),
  number,
  optionalNumber: optional(number),
  integer,
  optionalInteger: optional(integer),
  optionalBoolean: optional(boolean),
  other: { isRequired: false, toCheck: () => 'true', repair: (value) => value },
};
