/** One setting of the gateway: its default, its parser and its documentation. */

export interface Setting<Value> {
  /** One or two plain sentences, in Markdown. */
  readonly description: string;
  /** The default as documentation shows it; empty if there is none. */
  readonly defaultText: string;
  /** Applies if the variable is absent or empty. */
  readonly defaultValue: Value;
  /** Reads a trimmed, non-empty string. Throws a `SettingError`. */
  parse(text: string): Value;
}

export type SettingTable = Readonly<Record<string, Setting<unknown>>>;

export type ValuesOf<Table extends SettingTable> = {
  readonly [Name in keyof Table]: Table[Name] extends Setting<infer Value> ? Value : never;
};

/** The reason why a value is invalid: a sentence without its subject, such as `must be a whole number.` */
export class SettingError extends Error {
  override readonly name = 'SettingError';
}

export function text(defaultValue: string, description: string): Setting<string> {
  return { description, defaultText: defaultValue, defaultValue, parse: (value) => value };
}

interface OptionalDetails {
  /** Describes what applies without a value. */
  defaultText?: string;
  /** Throws a `SettingError`. Default: any string is accepted. */
  parse?: (text: string) => string;
}

/** A value that may be absent. */
export function optional(
  description: string,
  { defaultText = '', parse = (value) => value }: OptionalDetails = {},
): Setting<string | undefined> {
  return { description, defaultText, defaultValue: undefined, parse };
}

interface Range {
  min: number;
  max: number;
}

interface IntegerDetails<Default> extends Range {
  default: Default;
  /** Describes a default that the value does not explain by itself. */
  defaultText?: string;
}

/** A whole number, which may be absent if the default is undefined. The range is added to the description. */
export function integer<Default extends number | undefined>(
  { default: defaultValue, defaultText = String(defaultValue), min, max }: IntegerDetails<Default>,
  description: string,
): Setting<number | Default> {
  return {
    description: `${description} From ${min} to ${max}.`,
    defaultText,
    defaultValue,
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

/** A fraction: a decimal number from 0 to 1. */
export function fraction(defaultValue: number, description: string): Setting<number> {
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
  defaultValue: NoInfer<Value>,
  description: string,
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
export function list(description: string, check: (item: string) => void): Setting<readonly string[]> {
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

/** Checks an item of a list. `expected` says what the list contains, with an example. */
export function checkItem(isValid: (item: string) => boolean, expected: string): (item: string) => void {
  return (item) => {
    if (!isValid(item)) throw new SettingError(`must list ${expected}; ${quote(item)} is not one.`);
  };
}

/** A value inside an error message, shortened. In an address, a user and a password end with `@`. */
export function quote(value: string): string {
  const shown = value.replace(/^.*@/s, '…@');
  return JSON.stringify(shown.length > 100 ? `${shown.slice(0, 100)}…` : shown);
}
