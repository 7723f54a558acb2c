/**
 * Decodes rows of the REST API leniently: unknown fields are ignored, the casing of names may vary, and a missing
 * text becomes empty. Only rows without ids are skipped. Valid rows are not copied.
 */
import { isRecord } from '../../lib/records.js';

interface FieldValues {
  id: number;
  optionalId: number | undefined;
  text: string;
  optionalText: string | undefined;
  number: number;
  optionalNumber: number | undefined;
  /** A whole number of 32 bits, as an `Int` of the graph. */
  integer: number;
  optionalInteger: number | undefined;
  other: unknown;
}

type FieldKind = keyof FieldValues;

/** The kind of each field of a wire row. A row without one of its required fields is skipped: `id`, `number` and `integer`. */
export type RowFields<WireRow> = { readonly [Name in keyof WireRow]-?: FieldKind };

/** A decoded row. */
type Decoded<Fields> = {
  readonly [Name in keyof Fields]: Fields[Name] extends FieldKind ? FieldValues[Fields[Name]] : never;
};

/** Returns the row, repaired if needed, or undefined if it is unusable. */
export type RowDecoder<Row> = (raw: unknown) => Row | undefined;

/** The row type of a decoder. */
export type RowOf<Decoder> = Decoder extends RowDecoder<infer Row> ? Row : never;

interface FieldReader {
  name: string;
  spellings: readonly string[];
  required: boolean;
  repair(value: unknown): unknown;
}

export function createRowDecoder<const Fields extends Record<string, FieldKind>>(
  fields: Fields,
): RowDecoder<Decoded<Fields>> {
  const readers = Object.entries(fields).map(([name, kind]) => createReader(name, kind));
  const isValid = compileCheck(fields);
  return (raw) => {
    if (!isRecord(raw)) return undefined;
    return isValid(raw) ? (raw as Decoded<Fields>) : (repairRow(raw, readers) as Decoded<Fields> | undefined);
  };
}

/**
 * Generates code that checks whether a row is valid. Every row of every response is checked, and a loop that looks up
 * each field by a variable name takes ten times as long. The code contains only the field names of the decoders, no
 * external input.
 */
function compileCheck(fields: Record<string, FieldKind>): (row: Record<string, unknown>) => boolean {
  const checks = Object.entries(fields).map(([name, kind]) => {
    const [code = '', ...others] = listSpellings(name).map((spelling) => `row[${JSON.stringify(spelling)}]`);
    const check = codeByKind[kind](code);
    if (isRequired[kind] || others.length === 0) return check;
    // An absent field may be there in another spelling.
    const areAbsent = others.map((other) => `${other} === undefined`).join(' && ');
    return `(${code} === undefined ? ${areAbsent} : ${check})`;
  });
  return new Function('row', `return ${checks.join(' && ')};`) as (row: Record<string, unknown>) => boolean;
}

const isIdCode = (value: string) => `Number.isSafeInteger(${value}) && ${value} >= 1`;
const isTextCode = (value: string) => `typeof ${value} === 'string'`;
/** JSON has numbers beyond the largest double, which are parsed as infinite. */
const isNumberCode = (value: string) => `Number.isFinite(${value})`;
/** The operator alone would call the `toString` of an object, which may be a field of the platform. */
const isIntegerCode = (value: string) => `typeof ${value} === 'number' && (${value} | 0) === ${value}`;
const isAbsentOr = (code: (value: string) => string) => (value: string) =>
  `(${value} === undefined || ${code(value)})`;

const codeByKind: Record<FieldKind, (value: string) => string> = {
  id: isIdCode,
  optionalId: isAbsentOr(isIdCode),
  text: isTextCode,
  optionalText: isAbsentOr(isTextCode),
  number: isNumberCode,
  optionalNumber: isAbsentOr(isNumberCode),
  integer: isIntegerCode,
  optionalInteger: isAbsentOr(isIntegerCode),
  other: () => 'true',
};

/** Whether a row with an absent field of the kind is not valid. */
const isRequired: Record<FieldKind, boolean> = {
  id: true,
  optionalId: false,
  text: true,
  optionalText: false,
  number: true,
  optionalNumber: false,
  integer: true,
  optionalInteger: false,
  other: false,
};

function repairRow(raw: Record<string, unknown>, readers: readonly FieldReader[]): object | undefined {
  const row: Record<string, unknown> = { ...raw };
  for (const reader of readers) {
    const spelling = reader.spellings.find((name) => raw[name] !== undefined && raw[name] !== null);
    const value = reader.repair(spelling === undefined ? undefined : raw[spelling]);
    if (value === undefined && reader.required) return undefined;
    row[reader.name] = value;
  }
  return row;
}

/** The spellings of a field's name, the documented one first. */
function listSpellings(name: string): string[] {
  const camelCase = name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  const pascalCase = camelCase.charAt(0).toUpperCase() + camelCase.slice(1);
  return [...new Set([name, camelCase, name.replaceAll('_', '').toLowerCase(), pascalCase])];
}

function createReader(name: string, kind: FieldKind): FieldReader {
  return { name, spellings: listSpellings(name), ...readersByKind[kind] };
}

const isId = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 1;

function toId(value: unknown): number | undefined {
  const id = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
  return isId(id) ? (id as number) : undefined;
}

function toText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
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

const readersByKind: Record<FieldKind, Pick<FieldReader, 'required' | 'repair'>> = {
  id: { required: true, repair: toId },
  optionalId: { required: false, repair: toId },
  text: { required: false, repair: (value) => toText(value) ?? '' },
  optionalText: { required: false, repair: toText },
  number: { required: true, repair: toNumber },
  optionalNumber: { required: false, repair: toNumber },
  integer: { required: true, repair: toInteger },
  optionalInteger: { required: false, repair: toInteger },
  other: { required: false, repair: (value) => value },
};
