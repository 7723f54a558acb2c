/** Creates the fields of the OpenAPI schemas. Each function takes the field's description. */
export type JsonSchema = Readonly<Record<string, unknown>>;

export function id(description: string): JsonSchema {
  return { type: 'integer', format: 'int64', minimum: 1, description };
}

export function integer(description: string, format: 'int32' | 'int64' = 'int64'): JsonSchema {
  return { type: 'integer', format, description };
}

export function count(description: string): JsonSchema {
  return { type: 'integer', format: 'int64', minimum: 0, description };
}

export function text(maxLength: number, description: string): JsonSchema {
  return { type: 'string', maxLength, description: `${description} At most ${maxLength} characters.` };
}

export function moment(description: string): JsonSchema {
  return { type: 'string', format: 'date-time', description: `${description} RFC 3339, UTC, whole seconds.` };
}

export function decimalText(description: string): JsonSchema {
  return { type: 'string', maxLength: 64, description: `${description} A decimal number as text.` };
}

export function number(description: string, limits: JsonSchema = {}): JsonSchema {
  return { type: 'number', format: 'double', ...limits, description };
}

export function numberOrNull(description: string): JsonSchema {
  return { ...number(description), type: ['number', 'null'] };
}

export function flag(description: string, limits: JsonSchema = {}): JsonSchema {
  return { type: 'boolean', ...limits, description };
}

export function choice(description: string, values: readonly string[], limits: JsonSchema = {}): JsonSchema {
  return { type: 'string', enum: values, ...limits, description };
}

export function reference(schema: string): JsonSchema {
  return { $ref: `#/components/schemas/${schema}` };
}

export function listOf(schema: string, description?: string, maxItems = 10_000): JsonSchema {
  return { type: 'array', maxItems, items: reference(schema), description };
}

/** An object. All fields are required except the ones in `optional`. */
export function object(
  description: string,
  properties: Readonly<Record<string, JsonSchema>>,
  optional: readonly string[] = [],
): JsonSchema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: 'object', description, properties, ...(required.length > 0 ? { required } : {}) };
}
