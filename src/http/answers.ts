/**
 * Answers that were given and may be given again, and those under way: the same request of the same scope costs one
 * execution for as long as everything in its answer is fresh. Nothing outlives a write: whatever is dropped from the
 * cache of REST answers begins another epoch, and answers of an earlier one are neither given nor joined.
 */
import { LRUCache } from 'lru-cache';
import { callerLeft } from '../errors.js';
import { createFlight, type Flight } from '../lib/flight.js';
import type { Ending, Leaving } from '../lib/leaving.js';
import type { KeptAnswer } from './keptAnswer.js';

export interface Question {
  /** By `toAnswerKey`. */
  key: string;
  /** Of the cache, before anything is read for the answer. */
  epoch: number;
}

export interface Answers<Answer> {
  find(question: Question, nowMs: number): GivenAgain | undefined;
  /**
   * Of a question that was asked before: most that are asked once are never asked again, and to keep the answers of
   * those costs more than to make them.
   */
  keep(question: Question, answer: KeptAnswer, nowMs: number): void;
  /**
   * The answer of whoever asks the same just now, else of `run`, which is ended when all who wait for it have left.
   * Rejects with CANCELLED where this caller has left.
   */
  join(question: Question, leaving: Leaving, run: (ending: Ending) => Promise<Answer>): Promise<Answer>;
}

/** Its bytes, since it is given again and again. */
export type GivenAgain = KeptAnswer & { body: Buffer };

interface Entry {
  answer: GivenAgain;
  epoch: number;
  keptAtMs: number;
}

const MOST_BYTES = 16 * 1024 * 1024;
/** For the entry's own objects. */
const ENTRY_BYTES = 512;

export function createAnswers<Answer>(mostBytes = MOST_BYTES): Answers<Answer> {
  const kept = new LRUCache<string, Entry>({
    maxSize: mostBytes,
    sizeCalculation: ({ answer }, key) => answer.bytes + 2 * key.length + ENTRY_BYTES,
  });
  const isAskedAgain = rememberQuestions();
  const flights = new Map<string, Flight<Answer>>();

  function begin(name: string, run: (ending: Ending) => Promise<Answer>): Flight<Answer> {
    const flight = createFlight(run, () => flights.delete(name), callerLeft);
    flights.set(name, flight);
    return flight;
  }

  return {
    find({ key, epoch }, nowMs) {
      const entry = kept.get(key);
      if (entry === undefined) return undefined;
      // A clock that was set back would have it outlive its freshness.
      const isOfNow = entry.keptAtMs <= nowMs && entry.answer.freshUntilMs > nowMs;
      if (isOfNow && entry.epoch === epoch) return entry.answer;
      kept.delete(key);
      return undefined;
    },
    keep({ key, epoch }, answer, keptAtMs) {
      if (!isAskedAgain(key)) return;
      const body = Buffer.from(answer.body);
      kept.set(key, { answer: { ...answer, body }, epoch, keptAtMs });
    },
    join({ key, epoch }, leaving, run) {
      const name = `${epoch}\n${key}`;
      return (flights.get(name) ?? begin(name, run)).join(leaving);
    },
  };
}

/** So many questions that were asked before are known, each by a number: two may share one, which does no harm. */
const REMEMBERED = 4096;

/** Answers whether the question was asked lately, and remembers it. */
function rememberQuestions(): (key: string) => boolean {
  const seen = new Uint32Array(REMEMBERED);
  return (key) => {
    const number = toNumber(key);
    const place = number % REMEMBERED;
    const isKnown = seen[place] === number;
    seen[place] = number;
    return isKnown;
  };
}

/** FNV-1a: http://www.isthe.com/chongo/tech/comp/fnv/ */
function toNumber(text: string): number {
  let number = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) number = Math.imul(number ^ text.charCodeAt(at), 0x01000193);
  return number >>> 0;
}
