/** Finds the objects that match the words of a string best. Pure. */
import { createBadInputError } from '../../errors.js';
import { checkBetween } from './bounds.js';

/** The text of a search, prepared for comparison. */
export interface SearchText {
  /** Comparable, without spaces around it. */
  text: string;
  words: readonly string[];
  /** The maximum number of objects of each kind. */
  first: number;
}

const MAX_TEXT_LENGTH = 200;
const MAX_MATCHES = 100;

const BEYOND_ASCII = /[^ -~]/;
/** Letters that Unicode does not decompose into a base letter and an accent, and the sigma at the end of a word. */
const plainLetters: Readonly<Record<string, string>> = {
  ...{ ø: 'o', đ: 'd', ł: 'l', ı: 'i', ß: 'ss', æ: 'ae', œ: 'oe', ς: 'σ' },
};
const REPLACED_LETTER = new RegExp(`[${Object.keys(plainLetters).join('')}]`, 'g');

/** The text for comparisons: in lower case and without accents, in whatever way they are encoded. */
export function toComparable(text: string): string {
  const lower = text.toLowerCase();
  if (!BEYOND_ASCII.test(lower)) return lower;
  const letters = lower.normalize('NFD').replace(/\p{Mn}/gu, '');
  return letters.replace(REPLACED_LETTER, (letter) => plainLetters[letter] ?? letter);
}

/** Throws BAD_USER_INPUT for an empty or a long text, and for a `first` out of bounds. */
export function readSearch(text: string, first: number): SearchText {
  // Ids of objects are searched by their number.
  const normalized = toComparable(text.trim()).replace(/^(site|device|stream):(?=\d+$)/, '');
  if (normalized === '') throw createBadInputError('text', 'is empty.');
  if (normalized.length > MAX_TEXT_LENGTH) {
    throw createBadInputError('text', `has more than ${MAX_TEXT_LENGTH} characters.`);
  }
  checkBetween('first', first, 1, MAX_MATCHES);
  return { text: normalized, words: normalized.split(/\s+/), first };
}

interface SearchedTexts {
  /** Names and numbers of the object itself. A match of the whole text in one of them counts more. */
  own: readonly (string | null)[];
  /** Texts that the other words may match, such as the name of its site. */
  context?: readonly (string | null | undefined)[];
}

const collator = new Intl.Collator('en', { numeric: true });

/**
 * Returns the best matches first, equal ones by name. Each word has to occur in a string of the item, and at least one
 * word in its `own` strings.
 */
export function findBest<Item extends { name: string }>(
  items: readonly Item[],
  { text, words, first }: SearchText,
  textsOf: (item: Item) => SearchedTexts,
): Item[] {
  return items
    .flatMap((item) => {
      const rank = rankOf(textsOf(item), text, words);
      return rank === undefined ? [] : [{ item, rank }];
    })
    .sort((one, other) => one.rank - other.rank || collator.compare(one.item.name, other.item.name))
    .slice(0, first)
    .map(({ item }) => item);
}

/** 0 for an equal string, up to 4 for words in several strings. Undefined without a match. */
function rankOf(
  { own, context = [] }: SearchedTexts,
  text: string,
  words: readonly string[],
): number | undefined {
  const ownTexts = own.map((one) => toComparable(one ?? ''));
  if (ownTexts.includes(text)) return 0;
  if (ownTexts.some((one) => one.startsWith(text))) return 1;
  if (ownTexts.some((one) => one.includes(` ${text}`))) return 2;
  if (ownTexts.some((one) => one.includes(text))) return 3;
  const all = [...ownTexts, ...context.map((one) => toComparable(one ?? ''))];
  const isIn = (texts: readonly string[]) => (word: string) => texts.some((one) => one.includes(word));
  return words.every(isIn(all)) && words.some(isIn(ownTexts)) ? 4 : undefined;
}
