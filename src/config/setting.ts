/** One setting of the gateway: its default, its parser and its documentation. */

export interface Setting<Value> {
  /** One or two plain sentences, in Markdown. */
  readonly description: string;
  /** The default as documentation shows it; empty if there is none. */
  readonly defaultText: string;
  /** Applies if the variable is absent or empty. */
  readonly defaultValue: Value;
  /** Reads a trimmed, non-empty text. Throws a `SettingError`. */
  parse(text: string): Value;
}

/** The reason why a value is invalid: a sentence without its subject, such as `must be a whole number.` */
export class SettingError extends Error {
  override readonly name = 'SettingError';
}

interface Documentation {
  description: string;
  /** Describes a default that its value alone does not explain. */
  defaultText?: string;
}

/** Any text. */
export function text(documentation: Documentation & { default: string }): Setting<string> {
  const { description, default: defaultValue, defaultText = defaultValue } = documentation;
  return { description, defaultText, defaultValue, parse: (value) => value };
}

/** A value that may be absent. `parse` throws a `SettingError`; any text is accepted without it. */
export function optional({
  description,
  defaultText = '',
  parse = (value) => value,
}: Documentation & { parse?: (text: string) => string }): Setting<string | undefined> {
  return { description, defaultText, defaultValue: undefined, parse };
}

interface Range {
  min: number;
  max: number;
}

/** A whole number. The range is added to the description. */
export function integer(documentation: Documentation & Range & { default: number }): Setting<number> {
  const { default: defaultValue, defaultText = String(defaultValue), min, max } = documentation;
  return {
    description: `${documentation.description} From ${min} to ${max}.`,
    defaultText,
    defaultValue,
    parse: (value) => parseInteger(value, { min, max }),
  };
}

/** A whole number that may be absent. */
export function optionalInteger({
  description,
  defaultText = '',
  min,
  max,
}: Documentation & Range): Setting<number | undefined> {
  return {
    description: `${description} From ${min} to ${max}.`,
    defaultText,
    defaultValue: undefined,
    parse: (value) => parseInteger(value, { min, max }),
  };
}

/** Decimal digits only. `alternative` names a word that the setting accepts besides numbers. */
export function parseInteger(value: string, { min, max }: Range, alternative?: string): number {
  const number = /^\d+$/.test(value) ? Number(value) : Number.NaN;
  if (number >= min && number <= max) return number;
  const or = alternative === undefined ? '' : `, or ${alternative}`;
  throw new SettingError(`must be a whole number from ${min} to ${max}${or}; ${quote(value)} is not.`);
}

/** A part of a whole: a decimal number from 0 to 1. */
export function fraction({
  description,
  default: defaultValue,
}: {
  description: string;
  default: number;
}): Setting<number> {
  return {
    description: `${description} From 0 to 1.`,
    defaultText: String(defaultValue),
    defaultValue,
    parse(value) {
      const number = /^\d*\.?\d+$/.test(value) ? Number(value) : Number.NaN;
      if (number >= 0 && number <= 1) return number;
      throw new SettingError(`must be a number from 0 to 1; ${quote(value)} is not.`);
    },
  };
}

/** One of several words. */
export function oneOf<Value extends string>(
  values: readonly Value[],
  { description, default: defaultValue }: { description: string; default: NoInfer<Value> },
): Setting<Value> {
  return {
    description,
    defaultText: defaultValue,
    defaultValue,
    parse(text) {
      const value = values.find((candidate) => candidate === text);
      if (value === undefined)
        throw new SettingError(`must be one of ${values.join(', ')}; ${quote(text)} is not.`);
      return value;
    },
  };
}

/** Items separated by commas. `check` throws a `SettingError`. */
export function list({
  description,
  check,
}: {
  description: string;
  check: (item: string) => void;
}): Setting<readonly string[]> {
  return {
    description,
    defaultText: 'none',
    defaultValue: [],
    parse(text) {
      const items = text
        .split(',')
        .map((item) => item.trim())
        .filter((item) => item !== '');
      for (const item of items) check(item);
      return items;
    },
  };
}

/** A value inside an error message, shortened. */
export function quote(value: string): string {
  return JSON.stringify(value.length > 100 ? `${value.slice(0, 100)}…` : value);
}
