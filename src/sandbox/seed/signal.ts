/** The value of a measured quantity as a function of time, so that any sample can be computed again. */
import { seededNoise } from './seededNoise.js';

/** Stored as JSON in the `source` table, so that renamed fields would invalidate existing database files. */
export type Signal =
  | { shape: 'wave'; base: number; amplitude: number; noise: number; minimum: number; maximum?: number }
  | { shape: 'counter'; base: number; perHour: number }
  | { shape: 'switch'; dutyCycle: number }
  | { shape: 'rain'; most: number }
  | { shape: 'sun'; most: number }
  /** A broken sensor, which sends words. */
  | { shape: 'text' };

const DAY = 86_400;
const TURN = 2 * Math.PI;
const COUNTER_START = 1_700_000_000;
const SPIKE_CHANCE = 0.0008;

/** Distinguishes the random numbers of one moment. */
const SALT = { noise: 1, spike: 2, block: 3, text: 4, phase: 5, base: 6 };

interface Moment {
  readonly seed: number;
  readonly streamId: number;
  /** Unix seconds. */
  readonly at: number;
}

/** The quantity's value at a moment: a number with at most three decimals, or text from a broken sensor. */
export function valueAt(signal: Signal, moment: Moment): number | string {
  switch (signal.shape) {
    case 'wave':
      return round(waveAt(signal, moment));
    case 'counter':
      return round(counterAt(signal, moment));
    case 'switch':
      return blockNoise(moment, 2700) < signal.dutyCycle ? 1 : 0;
    case 'rain':
      return blockNoise(moment, 5400) < 0.07 ? round(noise(moment, SALT.noise) * signal.most) : 0;
    case 'sun':
      return round(Math.max(0, Math.sin(TURN * dayPart(moment))) * signal.most * clouds(moment));
    case 'text':
      return noise(moment, SALT.text) < 0.8 ? 'ERR' : 'OVERRANGE';
  }
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}

function noise({ seed, streamId, at }: Moment, salt: number): number {
  return seededNoise(seed, streamId, at, salt);
}

/** A random number that stays constant for a block of `seconds`. */
function blockNoise({ seed, streamId, at }: Moment, seconds: number): number {
  return seededNoise(seed, streamId, Math.floor(at / seconds), SALT.block);
}

/** The time in days. The phase differs a little between streams. */
function dayPart({ seed, streamId, at }: Moment): number {
  return at / DAY + seededNoise(seed, streamId, 0, SALT.phase) * 0.2 - 0.3;
}

function clouds(moment: Moment): number {
  return 0.55 + 0.45 * blockNoise(moment, 7200);
}

function waveAt(signal: Extract<Signal, { shape: 'wave' }>, moment: Moment): number {
  const daily = Math.sin(TURN * dayPart(moment));
  const slow = Math.sin((TURN * moment.at) / (5.3 * DAY) + moment.streamId);
  const jitter = (noise(moment, SALT.noise) - 0.5) * 2 * signal.noise;
  const spike = noise(moment, SALT.spike) < SPIKE_CHANCE ? signal.amplitude * 3 : 0;
  // An offset per stream.
  const offset = (seededNoise(moment.seed, moment.streamId, 0, SALT.base) - 0.5) * 0.5;
  const value = signal.base + signal.amplitude * (offset + 0.75 * daily + 0.25 * slow) + jitter + spike;
  return Math.min(signal.maximum ?? value, Math.max(signal.minimum, value));
}

/** Always rises, faster by day than by night. */
function counterAt(signal: Extract<Signal, { shape: 'counter' }>, moment: Moment): number {
  const hours = (moment.at - COUNTER_START) / 3600;
  const daily = (24 / TURN) * 0.8 * -Math.cos(TURN * dayPart(moment));
  return signal.base + signal.perHour * (hours + daily);
}
