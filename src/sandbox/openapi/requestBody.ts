/** Reads request bodies by the schemas of the OpenAPI document, so that the document states the rules that apply. */
import { isRecord } from '../../lib/records.js';
import { createBadRequestError } from '../httpError.js';
import { schemas } from './schemas.js';

/** The parts of JSON schema that the schemas of bodies use. */
interface BodySchema {
  readonly $ref?: string;
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: BodySchema;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, BodySchema>>;
  readonly required?: readonly string[];
  /** One of these fields is required. */
  readonly anyOf?: readonly { readonly required: readonly string[] }[];
  /** Fields that exclude each other. */
  readonly not?: { readonly required: readonly string[] };
  readonly default?: unknown;
}

const REFERENCE = '#/components/schemas/';

type JsonFields = Readonly<Record<string, unknown>>;

/**
 * Returns only the fields of the schema, with their defaults. `null` counts as absent.
 * @throws HttpError 400 with the path of the first invalid field.
 */
export function readRequestBody(schemaName: string, body: unknown): JsonFields {
  return readObject(schemas[schemaName] ?? {}, body, '');
}

function readValue(schema: BodySchema, value: unknown, at: string): unknown {
  const { $ref, type = '' } = schema;
  if ($ref !== undefined) return readValue(schemas[$ref.slice(REFERENCE.length)] ?? {}, value, at);
  if (schema.enum && !schema.enum.includes(value))
    throwBadField(at, `must be one of ${schema.enum.join(', ')}`);
  return (readers[type] ?? readNumber)(schema, value, at);
}

type ReadTyped = (schema: BodySchema, value: unknown, at: string) => unknown;

const readNumber: ReadTyped = (_, value, at) =>
  Number.isFinite(value) ? value : throwBadField(at, 'must be a number');

/** By the type of the schema. Numbers are read by `readNumber`. */
const readers: Readonly<Record<string, ReadTyped>> = {
  object: readObject,
  array({ items = {}, maxItems = Number.POSITIVE_INFINITY }, value, at) {
    if (!Array.isArray(value)) return throwBadField(at, 'must be a list');
    if (value.length > maxItems) return throwBadField(at, `must hold at most ${maxItems} entries`);
    return value.map((item, index) => readValue(items, item, `${at}[${index}]`));
  },
  string({ minLength = 0, maxLength = Number.POSITIVE_INFINITY }, value, at) {
    if (typeof value === 'string' && value.length >= minLength && value.length <= maxLength) return value;
    return throwBadField(at, `must be text of ${minLength} to ${maxLength} characters`);
  },
  boolean: (_, value, at) =>
    typeof value === 'boolean' ? value : throwBadField(at, 'must be true or false'),
  integer({ minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER }, value, at) {
    if (Number.isInteger(value) && Number(value) >= minimum && Number(value) <= maximum) return value;
    return throwBadField(at, `must be an integer from ${minimum} to ${maximum}`);
  },
};

function readObject(
  { properties = {}, required = [], anyOf = [], not }: BodySchema,
  value: unknown,
  at: string,
): JsonFields {
  if (!isRecord(value)) {
    return throwBadField(at || 'The body', `must be an object with ${required.join(', ')}`);
  }
  const result: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(properties)) {
    const path = at === '' ? name : `${at}.${name}`;
    const field = value[name] ?? schema.default;
    if (field !== undefined) result[name] = readValue(schema, field, path);
    else if (required.includes(name)) throwBadField(path, 'is required');
  }
  if (anyOf.length > 0 && !anyOf.some((one) => one.required.every((name) => name in result))) {
    throwBadField(at, `must have ${anyOf.flatMap((one) => one.required).join(' or ')}`);
  }
  if (not?.required.every((name) => name in result)) {
    throwBadField(at, `must not have both ${not.required.join(' and ')}`);
  }
  return result;
}

function throwBadField(at: string, rule: string): never {
  throw createBadRequestError(`${at} ${rule}.`);
}
