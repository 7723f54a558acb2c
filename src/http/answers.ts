/**
 * Answers that were given and may be given again, and those under way: the same request of the same scope costs one
 * execution for as long as everything in its answer is fresh. Nothing outlives a write: whatever is dropped from the
 * cache of REST answers begins another epoch, and answers of an earlier one are neither given nor joined.
 */

import { LRUCache } from 'lru-cache';
import { callerLeft } from '../errors.js';
import { createFlight, type Flight } from '../lib/flight.js';
import type { KeptAnswer } from './keptAnswer.js';

export interface Question {
  /** By `toAnswerKey`. */
  key: string;
  /** Of the cache, before anything is read for the answer. */
  epoch: number;
}

export interface Answers<Answer> {
  find(question: Question, nowMs: number): KeptAnswer | undefined;
  /**
   * Of a question that was asked before: most that are asked once are never asked again, and to keep the answers of
   * those costs more than to make them.
   */
  keep(question: Question, answer: KeptAnswer): void;
  /**
   * The answer of whoever asks the same just now, else of `run`, which is ended when all who wait for it have left.
   * Rejects with CANCELLED where `signal` says that this caller has left.
   */
  join(
    question: Question,
    signal: AbortSignal,
    run: (signal: AbortSignal) => Promise<Answer>,
  ): Promise<Answer>;
}

interface Entry {
  answer: KeptAnswer;
  bytes: number;
  epoch: number;
}

const MOST_BYTES = 16 * 1024 * 1024;
/** For the entry's own objects. */
const ENTRY_BYTES = 512;
/** Of the questions last asked for the first time: an answer is kept from the second time on. */
const MOST_REMEMBERED = 1000;

export function createAnswers<Answer>(mostBytes = MOST_BYTES): Answers<Answer> {
  const kept = new LRUCache<string, Entry>({
    maxSize: mostBytes,
    sizeCalculation: ({ bytes }, key) => bytes + 2 * key.length + ENTRY_BYTES,
  });
  const askedOnce = new LRUCache<string, true>({ max: MOST_REMEMBERED });
  const flights = new Map<string, Flight<Answer>>();

  function begin(name: string, run: (signal: AbortSignal) => Promise<Answer>): Flight<Answer> {
    const flight = createFlight(run, () => flights.delete(name), callerLeft);
    flights.set(name, flight);
    return flight;
  }

  return {
    find({ key, epoch }, nowMs) {
      const entry = kept.get(key);
      if (entry === undefined) return undefined;
      if (entry.epoch === epoch && entry.answer.freshUntilMs > nowMs) return entry.answer;
      kept.delete(key);
      return undefined;
    },
    keep({ key, epoch }, answer) {
      if (!askedOnce.has(key)) return void askedOnce.set(key, true);
      const body = Buffer.from(answer.body);
      kept.set(key, { answer: { ...answer, body }, bytes: body.length, epoch });
    },
    join({ key, epoch }, signal, run) {
      const name = `${epoch}\n${key}`;
      return (flights.get(name) ?? begin(name, run)).join(signal);
    },
  };
}
